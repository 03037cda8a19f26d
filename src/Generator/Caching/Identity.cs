using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// An id for one of the compiler's objects that does not prevent its collection: the same object has the same id, and no other object ever
/// has it.
/// </summary>
internal static class Identity
{
    private static readonly ConditionalWeakTable<object, object> Known = new();

    public static object Of(object subject) => Known.GetValue(subject, static _ => new object());

    /// <summary>The id of a reference; that of a reference to another project is the id of that project's compilation.</summary>
    public static object Of(MetadataReference reference)
        => reference is CompilationReference { Compilation: var project }
            ? (Of((object)project), reference.Properties)
            : Of((object)reference);
}
