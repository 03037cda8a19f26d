using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Reads packed messages from bytes that need not be trusted: they may be damaged, hostile, or change while they are read.
/// </summary>
/// <remarks>
/// Inside a variable nothing can be read beyond its content. Hand the reader on by reference: a copy has a position of its own. Bytes can
/// cause no other exception than <see cref="PackException"/>, on a thread whose stack suffices for 64 messages inside each other.
/// </remarks>
/// <example>
/// <code>
/// var reader = new PackReader(bytes);
/// Order? order = null;
/// Order.Unpack(ref reader, ref order);
/// </code>
/// </example>
public ref partial struct PackReader
{
    // From the source's start to the open variable's end, so that its offsets are those of the source.
    private ReadOnlySpan<byte> _window;
    private int _position;
    private int _depth;
    private int _openVariables;

    // How many bytes are left if every element counted so far takes its fewest bytes. Elements have bytes of their own, however sequences
    // are nested: without this, each level of a recursive message could announce as many elements as there are bytes left.
    private int _unpromised;

    // Made when first needed: other messages pay only for one comparison with null. Each entry has a message header of at least 4 bytes in
    // the source, so the table cannot outgrow the source.
    private ObjectTable? _objects;

    // The number of bytes that decides how much memory they warrant.
    private readonly int _length;
    private int _untilLook;

    // How much this thread had allocated at the first check; 0 before it.
    private long _allocatedBefore;

    // The memory of large elements and compressed members, known from counts and lengths.
    private long _known;

    /// <summary>Begins at the first byte.</summary>
    /// <param name="source">The packed bytes.</param>
    public PackReader(ReadOnlySpan<byte> source)
    {
        Blit.RequireLittleEndian();
        _window = source;
        _unpromised = source.Length;
        _length = source.Length;
        _untilLook = VariablesPerLook;
    }

    // For views: begins inside of a message of so many bytes.
    internal PackReader(ReadOnlySpan<byte> window, int length, int position, int depth, ObjectTable? objects)
        : this(window)
    {
        _length = length;
        _position = position;
        _depth = depth;
        _objects = objects;
    }

    /// <summary>Bytes read so far, counted from the source's start.</summary>
    public readonly int Position => _position;

    /// <summary>Bytes left in the open variable, or in the source when none is open.</summary>
    public readonly int Remaining => _window.Length - _position;

    /// <summary>Begins a message.</summary>
    /// <param name="block">Its fixed block, and the count of its variables.</param>
    /// <returns>False for the null mark; the message is not open then.</returns>
    /// <exception cref="PackException">The message cannot be here, or more than 64 messages are inside each other.</exception>
    /// <exception cref="InsufficientExecutionStackException">The thread's stack is too small for messages so deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool BeginMessage(out FixedBlockReader block)
    {
        int start = _position;
        if (!Blit.TryRead(_window, start, out uint header))
        {
            PackException.ThrowCutOff(start, MessageFormat.HeaderSize, Remaining);
        }

        start += MessageFormat.HeaderSize;
        uint fixedLength = header & 0xFFFF;
        int variableCount = (int)(header >> 16);
        if ((fixedLength > MessageFormat.MaxPart || header > MessageFormat.MaxHeader || _depth >= MessageFormat.DepthThatLooksAtStack)
            && !MayBegin(header))
        {
            block = default;
            return false;
        }

        if (!Blit.TrySlice(_window, start, fixedLength, out ReadOnlySpan<byte> bytes))
        {
            PackException.ThrowCutOff(start, fixedLength, _window.Length - start);
        }

        block = new FixedBlockReader(bytes, start, variableCount);
        _position = start + (int)fixedLength;
        _depth++;
        return true;
    }

    /// <summary>Ends the message begun last; skips the variables that a newer writer appended.</summary>
    /// <param name="block">What <see cref="BeginMessage"/> gave.</param>
    /// <param name="readVariables">How many of the message's variables were read.</param>
    /// <exception cref="PackException">A variable to be skipped is not wholly here.</exception>
    /// <exception cref="InvalidOperationException">No message is open.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndMessage(scoped in FixedBlockReader block, int readVariables)
    {
        if (_depth <= 0)
        {
            ThrowNothingOpen();
        }

        if (block.VariableCount > readVariables)
        {
            SkipVariables(block.VariableCount - readVariables);
        }

        if (--_depth == 0 && _objects is not null)
        {
            _objects.Clear();
        }
    }

    /// <summary>Begins a variable: until it is ended nothing can be read beyond its content.</summary>
    /// <param name="scope">What <see cref="EndVariable"/> needs.</param>
    /// <returns>False for the null mark; the variable is not open then.</returns>
    /// <exception cref="PackException">The variable is not wholly here, or more than 512 variables are inside each other.</exception>
    public bool BeginVariable(out VariableScope scope)
    {
        if (!TryReadLength(out int length))
        {
            scope = default;
            return false;
        }

        if (_openVariables >= MessageFormat.MaxOpenVariables)
        {
            PackException.ThrowTooManyOpen(_position);
        }

        CountVariable();
        scope = new VariableScope(_window, _position + length);
        _openVariables++;
        _window = _window[..scope.End];
        return true;
    }

    /// <summary>Ends the variable begun last: goes to its content's end, whether all of it was read or not.</summary>
    /// <param name="scope">What <see cref="BeginVariable"/> gave.</param>
    /// <exception cref="InvalidOperationException">The variable is not open.</exception>
    public void EndVariable(VariableScope scope)
    {
        if (_openVariables <= 0 || scope.End != _window.Length)
        {
            ThrowNothingOpen();
        }

        _openVariables--;
        _position = scope.End;
        _window = scope.Outer;
    }

    /// <summary>Ends the variable begun last, all of whose content must have been read.</summary>
    /// <param name="scope">What <see cref="BeginVariable"/> gave.</param>
    /// <exception cref="PackException">Bytes are left over.</exception>
    /// <exception cref="InvalidOperationException">The variable is not open.</exception>
    public void EndWholeVariable(VariableScope scope)
    {
        if (Remaining != 0)
        {
            PackException.ThrowLeftOver(_position, Remaining);
        }

        EndVariable(scope);
    }

    /// <summary>Skips one variable, whatever is in it.</summary>
    /// <exception cref="PackException">The variable is not wholly here.</exception>
    public void SkipVariable()
    {
        if (TryReadLength(out int length))
        {
            _position += length;
        }
    }

    /// <summary>Reads how many variable elements follow. Refuses a count for which there are too few bytes left.</summary>
    /// <param name="minimumElementSize">The fewest bytes an element can have, 1 or more. A variable has at least 4.</param>
    /// <returns>0 or more; so small that the elements may be allocated.</returns>
    /// <exception cref="PackException">Too many elements for the bytes left.</exception>
    public int ReadCount(int minimumElementSize = MessageFormat.HeaderSize)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(minimumElementSize, 1);
        uint count = ReadRaw<uint>();
        if ((ulong)count * (uint)minimumElementSize > (uint)Remaining || !TryPromise(count, minimumElementSize))
        {
            PackException.ThrowCount(_position - sizeof(uint), count, Remaining);
        }

        return (int)count;
    }

    /// <summary>Counts the elements of fixed size in the rest of the open variable.</summary>
    /// <param name="elementSize">Bytes of an element, 1 or more.</param>
    /// <returns>0 or more; so small that the elements may be allocated.</returns>
    /// <exception cref="PackException">The bytes are no whole number of elements.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly int CountElements(int elementSize)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(elementSize, 1);
        int count = Math.DivRem(Remaining, elementSize, out int rest);
        if (rest != 0)
        {
            PackException.ThrowRagged(_position, (uint)Remaining, elementSize);
        }

        return count;
    }

    /// <summary>Reads the null mark if it is what comes next.</summary>
    /// <returns>False, with nothing read, for anything else.</returns>
    public bool TryReadNull()
    {
        if (!Blit.TryRead(_window, _position, out uint mark) || mark != MessageFormat.Null)
        {
            return false;
        }

        _position += MessageFormat.HeaderSize;
        return true;
    }

    // False for the null mark. Otherwise the content of that length is wholly inside the window.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryReadLength(out int length)
    {
        uint declared = ReadRaw<uint>();
        length = (int)declared;
        if (declared <= (uint)Remaining)
        {
            return true;
        }

        if (declared != MessageFormat.Null)
        {
            PackException.ThrowCutOff(_position, declared, Remaining);
        }

        return false;
    }

    // Charges at most 4 bytes for each element, because the rest of it may be elements that are counted themselves.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryPromise(long count, int minimumElementSize)
    {
        _unpromised -= (int)count * Math.Min(minimumElementSize, MessageFormat.HeaderSize);
        return _unpromised >= 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private V ReadRaw<V>()
        where V : unmanaged
    {
        if (!Blit.TryRead(_window, _position, out V value))
        {
            PackException.ThrowCutOff(_position, Blit.SizeOf<V>(), Remaining);
        }

        _position += Blit.SizeOf<V>();
        return value;
    }

    // False for the null mark.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool MayBegin(uint header)
    {
        if (header == MessageFormat.Null)
        {
            _position += MessageFormat.HeaderSize;
            return false;
        }

        if (_depth >= MessageFormat.MaxDepth)
        {
            PackException.ThrowTooDeep(_position);
        }

        if ((header & 0xFFFF) > MessageFormat.MaxPart || header > MessageFormat.MaxHeader)
        {
            PackException.ThrowHeader(_position, header);
        }

        ThreadStack.Require(_depth);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SkipVariables(int count)
    {
        for (int i = 0; i < count; i++)
        {
            SkipVariable();
        }
    }

    [DoesNotReturn]
    private static void ThrowNothingOpen() => throw new InvalidOperationException("Nothing is open that could be ended here.");
}
