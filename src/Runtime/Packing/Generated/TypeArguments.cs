namespace BlitQueue.Generated;

/// <summary>For generated code: the packers of type arguments that the assemblies of the process know.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TypeArguments
{
    private static readonly Lock Gate = new();
    private static Func<Type, StringEncoding, object?>[] _sources = [];

    /// <summary>Adds an assembly's packers. Called by its module initializer, before any of its code runs.</summary>
    /// <param name="source">Makes the <see cref="ArgumentPacker{T}"/> of a type; null for a type that it does not know.</param>
    public static void Add(Func<Type, StringEncoding, object?> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        lock (Gate)
        {
            _sources = [.. _sources, source];
        }
    }

    internal static ArgumentPacker<T> Find<T>(StringEncoding strings)
    {
        if (KnownArguments.Of<T>(strings) is { } known)
        {
            return known;
        }

        Func<Type, StringEncoding, object?>[] sources;
        lock (Gate)
        {
            sources = _sources;
        }

        foreach (Func<Type, StringEncoding, object?> source in sources)
        {
            if (source(typeof(T), strings) is ArgumentPacker<T> packer)
            {
                return packer;
            }
        }

        throw new NotSupportedException(
            $"{typeof(T)} is the type argument of a message, and no generated code packs it. In the assembly that uses it, write out the " +
            "message's closed type, as in Packer.Pack<Box<List<int>>>(box), so that the generator sees it.");
    }
}
