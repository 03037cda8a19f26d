using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// Stands for an object of the compiler's without keeping it alive: the same for the same object, and never again for another one.
/// </summary>
internal static class Identity
{
    private static readonly ConditionalWeakTable<object, object> Known = new();

    public static object Of(object subject) => Known.GetValue(subject, static _ => new object());

    /// <summary>A reference to another project is what that project's compilation is.</summary>
    public static object Of(MetadataReference reference)
        => reference is CompilationReference { Compilation: var project }
            ? (Of((object)project), reference.Properties)
            : Of((object)reference);
}
