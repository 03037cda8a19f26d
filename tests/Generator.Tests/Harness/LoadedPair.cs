using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Emit;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Two assemblies, the second of which uses the first, both with their generated halves.</summary>
internal static class LoadedPair
{
    /// <summary>Compiles and loads both and calls <c>Probe.Run()</c> of the second, whose assertions are the test.</summary>
    public static void Run(string library, string user)
    {
        // In a context of their own, where the second finds the first by its name.
        var context = new AssemblyLoadContext(null);
        (Assembly Assembly, byte[] Image) first = Load(context, Compile.Named("Library", library));
        (Assembly Assembly, byte[] Image) second = Load(
            context, Compile.Named("User", user).AddReferences(MetadataReference.CreateFromImage(first.Image)));
        try
        {
            second.Assembly.GetType("Probe")!.GetMethod("Run")!.Invoke(null, null);
        }
        catch (TargetInvocationException thrown) when (thrown.InnerException is not null)
        {
            throw new InvalidOperationException($"Probe.Run: {thrown.InnerException.Message}", thrown.InnerException);
        }
    }

    private static (Assembly Assembly, byte[] Image) Load(
        AssemblyLoadContext context, Microsoft.CodeAnalysis.CSharp.CSharpCompilation compilation)
    {
        var run = GeneratorRun.Of(compilation);
        Assert.Empty(Compile.Complaints(run.Output));
        using var image = new MemoryStream();
        EmitResult emitted = run.Output.Emit(image);
        Assert.True(emitted.Success, string.Join('\n', emitted.Diagnostics));
        image.Position = 0;
        return (context.LoadFromStream(image), image.ToArray());
    }
}
