using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// Writes packed messages directly into the room that its destination gives, or into a scratch buffer if that is too small.
/// </summary>
/// <remarks>
/// A message always stays contiguous. Hand the writer on by reference: what is written through a copy is lost. The destination gets nothing
/// before <see cref="Complete"/>.
/// </remarks>
/// <example>
/// <code>
/// var writer = new PackWriter(destination);
/// try
/// {
///     Order.Pack(ref writer, in order);
///     writer.Complete();
/// }
/// finally
/// {
///     writer.Abandon();       // after Complete: does nothing
/// }
/// </code>
/// </example>
public ref partial struct PackWriter
{
    // Large enough that nearly every message rents only one, and small enough that the shared pool caches it for each thread.
    private const int FirstScratchSize = 64 * 1024;

    /// <summary>The most bytes that are packed without a destination: in the log, while others wait for the append lock.</summary>
    internal const int MostInPlace = 4 << 20;

    private Span<byte> _room;
    private int _written;
    private int _depth;
    private int _openVariables;
    private readonly IBufferWriter<byte>? _destination;

    // Made when first needed: a writer is made for each message, and most messages need no reserve.
    private WriterReserve? _reserve;

    /// <summary>Begins at the room that the destination offers at once.</summary>
    /// <param name="destination">Receives the bytes at <see cref="Complete"/>.</param>
    public PackWriter(IBufferWriter<byte> destination)
        : this(destination, destination.GetSpan())
    {
    }

    /// <summary>
    /// Begins at room that the caller already got from the destination; without a destination, room of at most <see cref="MostInPlace"/>
    /// bytes.
    /// </summary>
    internal PackWriter(IBufferWriter<byte>? destination, Span<byte> room)
    {
        Blit.RequireLittleEndian();
        _destination = destination;
        _room = room;
    }

    /// <summary>How many bytes are written so far.</summary>
    public readonly int Written => _written;

    /// <summary>Whether all is still in the room that the destination gave.</summary>
    internal readonly bool InPlace => _reserve?.HasScratch != true;

    /// <summary>Whether <see cref="Abandon"/> has anything to give back.</summary>
    internal readonly bool HasReserve => _reserve is not null;

    /// <summary>What is packed so far.</summary>
    internal readonly ReadOnlySpan<byte> Packed => _room[.._written];

    /// <summary>Hands the bytes to the destination and returns the scratch buffer. The writer is empty afterwards.</summary>
    /// <returns>How many bytes were handed over.</returns>
    /// <exception cref="InvalidOperationException">
    /// A message or variable is still open, or the destination gave less room than asked for.
    /// </exception>
    public int Complete()
    {
        if (_depth != 0 || _openVariables != 0 || _destination is null)
        {
            ThrowCannotComplete();
        }

        int written = _written;
        if (!InPlace)
        {
            CopyToDestination();
        }

        _destination.Advance(written);
        Abandon();
        return written;
    }

    /// <summary>Takes the memory that a long message has of its own, and that the caller disposes. The writer is to be abandoned.</summary>
    /// <returns>null if the message is elsewhere.</returns>
    internal readonly ScratchBytes? TakeOwnMemory() => _reserve?.TakeOwnMemory();

    /// <summary>Returns the scratch buffer without handing anything over. Harmless when there is nothing to return.</summary>
    public void Abandon()
    {
        _reserve?.Return();
        _reserve = null;
        _room = default;
        _written = 0;
    }

    /// <summary>Begins a message: its header and its whole fixed block at once.</summary>
    /// <param name="fixedLength">The fixed block's size in bytes, 0 to 65534.</param>
    /// <param name="variableCount">How many variables follow the block, 0 to 65534. The caller writes exactly so many.</param>
    /// <returns>The block to fill, before anything else is written.</returns>
    /// <exception cref="PackException">More than 64 messages inside each other.</exception>
    /// <exception cref="InsufficientExecutionStackException">The thread's stack is too small for messages so deep.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FixedBlockWriter BeginMessage(int fixedLength, int variableCount)
    {
        if ((uint)fixedLength > MessageFormat.MaxPart || (uint)variableCount > MessageFormat.MaxPart)
        {
            ThrowParts(fixedLength, variableCount);
        }

        if (_depth >= MessageFormat.DepthThatLooksAtStack)
        {
            LimitDepth(_depth, _written);
        }

        uint header = MessageFormat.Header(fixedLength, variableCount);
        int start = _written;
        if (!Blit.TryClaim(_room, start, header, fixedLength, out Span<byte> block))
        {
            block = GrowAndClaim(header, fixedLength);
        }

        _depth++;
        _written = start + MessageFormat.HeaderSize + fixedLength;
        return new FixedBlockWriter(block);
    }

    /// <summary>Ends the message begun last, behind its last variable.</summary>
    /// <exception cref="InvalidOperationException">No message is open.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndMessage()
    {
        if (_depth <= 0)
        {
            ThrowNothingOpen();
        }

        if (--_depth == 0 && _reserve is not null)
        {
            _reserve.EndRoot(_written);
        }
    }

    /// <summary>Writes the null mark: 4 bytes, the same for a message and for a variable.</summary>
    public void WriteNull() => WriteRaw(MessageFormat.Null);

    /// <summary>Begins a variable whose size is not yet known: leaves 4 bytes for it.</summary>
    /// <returns>What <see cref="EndVariable"/> needs.</returns>
    /// <exception cref="PackException">More than 512 variables inside each other.</exception>
    public VariableMark BeginVariable()
    {
        if (_openVariables >= MessageFormat.MaxOpenVariables)
        {
            PackException.ThrowTooManyOpen(_written);
        }

        var mark = new VariableMark(_written);
        WriteRaw(0u);
        _openVariables++;
        return mark;
    }

    /// <summary>Ends the variable begun last and writes its size.</summary>
    /// <param name="mark">What <see cref="BeginVariable"/> gave.</param>
    /// <exception cref="InvalidOperationException">No variable is open there.</exception>
    public void EndVariable(VariableMark mark)
    {
        int length = _written - mark.Offset - MessageFormat.HeaderSize;
        if (_openVariables <= 0 || length < 0 || !Blit.TryWrite(_room, mark.Offset, (uint)length))
        {
            ThrowNothingOpen();
        }

        _openVariables--;
    }

    /// <summary>Writes how many elements follow, for a sequence of variable elements.</summary>
    /// <param name="count">0 or more.</param>
    public void WriteCount(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        WriteRaw((uint)count);
    }

    /// <summary>
    /// Counts the memory of elements that can take fewer bytes packed than in memory, such as null for a large struct. If it is more than
    /// the message's bytes warrant, the end of the message refuses it, because no reader could unpack the message.
    /// </summary>
    /// <typeparam name="T">The elements' type in memory.</typeparam>
    /// <param name="count">How many elements there are.</param>
    /// <param name="growth">What <see cref="PackReader.ReadCount{T}"/> is given for the same collection.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountMemory<T>(int count, int growth = 1)
    {
        if (MemoryLimit.OfLarge(Blit.SizeOfAny<T>(), 1, growth) > 0)
        {
            CountMemory(MemoryLimit.OfLarge(Blit.SizeOfAny<T>(), count, growth));
        }
    }

    /// <summary>Begins a sequence of variable elements whose number is not yet known: leaves 4 bytes for it.</summary>
    /// <returns>What <see cref="EndSequence"/> needs.</returns>
    /// <exception cref="PackException">More than 512 variables inside each other.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public VariableMark BeginSequence()
    {
        VariableMark mark = BeginVariable();
        WriteRaw(0u);
        return mark;
    }

    /// <summary>Ends the sequence begun last and writes its size and the number of its elements.</summary>
    /// <param name="mark">What <see cref="BeginSequence"/> gave.</param>
    /// <param name="count">How many elements were written.</param>
    /// <exception cref="InvalidOperationException">No sequence is open there.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void EndSequence(VariableMark mark, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        EndVariable(mark);
        if (!Blit.TryWrite(_room[.._written], mark.Offset + MessageFormat.HeaderSize, (uint)count))
        {
            ThrowNothingOpen();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteRaw<V>(V value)
        where V : unmanaged
    {
        if (!Blit.TryWrite(_room, _written, value))
        {
            GrowAndWrite(value);
        }

        _written += Blit.SizeOf<V>();
    }

    private void CountMemory(long bytes) => (_reserve ??= WriterReserve.Rent()).Memory += bytes;

    // The next bytes, written or not; the caller advances.
    private Span<byte> Claim(long size)
    {
        if (_room.Length - _written < size)
        {
            Grow(size);
        }

        return _room.Slice(_written, (int)size);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void GrowAndWrite<V>(V value)
        where V : unmanaged
    {
        Grow(FixedFormat.Size<V>());
        FixedFormat.TryWrite(_room, _written, value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Span<byte> GrowAndClaim(uint header, int fixedLength)
    {
        Grow(MessageFormat.HeaderSize + fixedLength);
        Blit.TryClaim(_room, _written, header, fixedLength, out Span<byte> block);
        return block;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(long size)
    {
        long needed = _written + size;
        if (_destination is null && needed > MostInPlace)
        {
            throw new LongMessageException();
        }

        if (needed > Array.MaxLength)
        {
            PackException.ThrowTooLarge(needed);
        }

        if (needed > ScratchBytes.LargestPooled && _destination is IGrowingBuffer growing
            && growing.TryGrow((int)needed, out Span<byte> longer))
        {
            MoveInto(longer);
            _reserve?.LeaveScratch();
            return;
        }

        long wanted = Math.Max(needed, Math.Max(FirstScratchSize, 2L * _room.Length));
        _reserve ??= WriterReserve.Rent();
        // Memory of its own needs a caller that surely abandons the writer; and one that packs for the log has others wait meanwhile.
        MoveInto(_reserve.Grow((int)Math.Min(wanted, Array.MaxLength), isPooled: _destination != Packer.Nowhere));
    }

    // Room for everything; the bytes that are packed so far may already be in it.
    private void MoveInto(Span<byte> room)
    {
        if (!room.Overlaps(_room))
        {
            Packed.CopyTo(room);
        }

        _room = room;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void CopyToDestination()
    {
        Span<byte> room = _destination!.GetSpan(_written);
        if (room.Length < _written)
        {
            ThrowCannotComplete();
        }

        Packed.CopyTo(room);
    }

    // Static, so that the writer can stay in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LimitDepth(int depth, int written)
    {
        if (depth >= MessageFormat.MaxDepth)
        {
            PackException.ThrowTooDeep(written);
        }

        ThreadStack.Require(depth);
    }

    // The exception is made elsewhere: the JIT sees that a method of one throw never returns, and does not inline it.
    [DoesNotReturn]
    private readonly void ThrowCannotComplete() => throw CannotComplete();

    private readonly InvalidOperationException CannotComplete() => new(
        _destination is null ? "This writer has no destination."
        : _depth != 0 || _openVariables != 0 ? $"{_depth} messages and {_openVariables} variables are still open."
        : $"The destination gave less room than the {_written} bytes it was asked for.");

    [DoesNotReturn]
    private static void ThrowNothingOpen() => throw new InvalidOperationException("Nothing is open that could be ended here.");

    [DoesNotReturn]
    private static void ThrowParts(int fixedLength, int variableCount)
        => throw new ArgumentOutOfRangeException(
            nameof(fixedLength),
            $"A message has 0 to {MessageFormat.MaxPart} fixed bytes and variables, not {fixedLength} and {variableCount}.");
}
