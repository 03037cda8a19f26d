using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>One variable of a packed message, in place: its content as bytes, or null.</summary>
/// <remarks>The bytes may change if another process can write them; their address and number cannot.</remarks>
public readonly ref struct VariableView : IPackView<VariableView>
{
    internal VariableView(ViewSource source, int start, int end, int depth)
    {
        Source = source;
        Start = start;
        End = end;
        Depth = depth;
    }

    /// <summary>The null mark, or not written at all: by an older version of the type, or inside of something that is null.</summary>
    // A content has at least a header in front of it.
    public bool IsNull => Start == 0;

    /// <summary>The content without its length; empty for null.</summary>
    public ReadOnlySpan<byte> Bytes => Source.Bytes[Start..End];

    internal ViewSource Source { get; }

    /// <summary>The content's first byte, counted from the first byte of the root message.</summary>
    internal int Start { get; }

    /// <summary>Behind the content's last byte.</summary>
    internal int End { get; }

    /// <summary>How many messages the variable is in.</summary>
    internal int Depth { get; }

    internal int Length => End - Start;

    /// <summary>Unpacks a value that a custom packer has written.</summary>
    /// <typeparam name="T">The type that was packed.</typeparam>
    /// <typeparam name="TPacker">Its packer.</typeparam>
    /// <returns>The value; the type's default for null.</returns>
    /// <exception cref="PackException">The packer found the bytes wrong.</exception>
    public T? Unpack<T, TPacker>()
        where TPacker : IPacker<T>
    {
        T? value = default;
        if (IsNull)
        {
            return value;
        }

        try
        {
            PackReader reader = Source.Reader(Start, End, Depth);
            TPacker.Unpack(ref reader, ref value);
            return value;
        }
        catch (PackException fault)
        {
            throw Source.Named(fault);
        }
    }

    static VariableView IPackView<VariableView>.Of(VariableView variable) => variable;

    /// <summary>The parts of the content, from an offset in it on.</summary>
    internal VariableIterator Walk(int offset = 0) => new(Source, Start + offset, End, Depth);

    /// <summary>
    /// Reads how many elements follow. Refuses a number for which the rest has too few bytes, at the fewest bytes of an element.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int ReadCount(int minimumElementSize)
    {
        int left = Length - sizeof(uint);
        if (left < 0 || !Blit.TryRead(Source.Bytes, Start, out uint count))
        {
            ViewSource.Throw(Source, PackException.CutOff(Start, sizeof(uint), Length));
            return 0;
        }

        if ((ulong)count * (uint)minimumElementSize > (uint)left)
        {
            ViewSource.Throw(Source, PackException.Count(Start, count, left));
        }

        return (int)count;
    }

    /// <summary>Counts the elements of one size that the content consists of.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int CountElements(int elementSize)
    {
        int count = Math.DivRem(Length, elementSize, out int rest);
        if (rest != 0)
        {
            ViewSource.Throw(Source, PackException.Ragged(Start, (uint)Length, elementSize));
        }

        return count;
    }
}
