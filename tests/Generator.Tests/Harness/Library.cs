using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Emit;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Another assembly, as a project may be compiled against it.</summary>
internal static class Library
{
    /// <summary>
    /// With all that is in it, as a package has it; what is left of it for those who compile against a project; the project itself, as in
    /// an editor.
    /// </summary>
    public static readonly string[] Forms = ["image", "reference assembly", "project"];

    /// <summary>The source with its generated half.</summary>
    public static MetadataReference As(string form, params string[] sources)
    {
        var run = GeneratorRun.Of(Compile.Named("Library", sources));
        Assert.Empty(Compile.Complaints(run.Output));
        if (form == "project")
        {
            return run.Output.ToMetadataReference();
        }

        using var image = new MemoryStream();
        bool isReference = form == "reference assembly";
        EmitResult emitted = run.Output.Emit(
            image, options: new EmitOptions(metadataOnly: isReference, includePrivateMembers: !isReference));
        Assert.True(emitted.Success, string.Join('\n', emitted.Diagnostics));
        return MetadataReference.CreateFromImage(image.ToArray());
    }
}
