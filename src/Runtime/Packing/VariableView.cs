namespace BlitQueue;

/// <summary>One variable of a packed message, where it stands: its content as bytes, or null.</summary>
/// <remarks>The bytes may change under it where another process can write them; where they stand and how many they are cannot.</remarks>
public readonly ref struct VariableView : IPackView<VariableView>
{
    internal VariableView(ReadOnlySpan<byte> bytes, int origin, int depth)
    {
        Bytes = bytes;
        Origin = origin;
        Depth = depth;
    }

    /// <summary>The null mark, or not written at all: by an older version of the type, or inside what is null itself.</summary>
    // A content has at least a header and its own length in front of it.
    public bool IsNull => Origin == 0;

    /// <summary>The content without its length; empty for null.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Where the content starts, counted from the first byte of the root message.</summary>
    internal int Origin { get; }

    /// <summary>How many messages the variable is in.</summary>
    internal int Depth { get; }

    /// <summary>Unpacks what a packer of one's own has written.</summary>
    /// <typeparam name="T">The type that was packed.</typeparam>
    /// <typeparam name="TPacker">Its packer.</typeparam>
    /// <returns>The value; the type's default for null.</returns>
    /// <exception cref="PackException">The packer found the bytes wrong; offsets count from the variable's content.</exception>
    public T? Unpack<T, TPacker>()
        where TPacker : IPacker<T>
    {
        T? value = default;
        if (IsNull)
            return value;

        var reader = new PackReader(Bytes, isPart: true);
        TPacker.Unpack(ref reader, ref value);
        return value;
    }

    static VariableView IPackView<VariableView>.Of(VariableView variable) => variable;
}
