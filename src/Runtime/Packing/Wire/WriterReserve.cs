using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Parts of a writer that only some messages need: a scratch buffer, and the objects met so far.</summary>
internal sealed class WriterReserve
{
    // The last one that a writer of this thread gave back, so that packing into a scratch buffer allocates nothing.
    [ThreadStatic]
    private static WriterReserve? spare;

    // Outgrown buffers go back only at the end: a fixed block that was returned earlier may still point into one.
    private List<byte[]>? _outgrown;
    private List<ScratchBytes>? _outgrownOwn;
    private byte[]? _pooled;

    // Of a long message: the shared pool would retain arrays of its size, and of each size that it has outgrown.
    private ScratchBytes? _own;
    private ObjectTable? _objects;

    /// <summary>Whether a buffer is in use; false while everything is in the destination's own room.</summary>
    public bool HasScratch => _pooled is not null || _own is not null;

    public ObjectTable Objects => _objects ??= new ObjectTable();

    public static WriterReserve Rent()
    {
        WriterReserve reserve = spare ?? new WriterReserve();
        spare = null;
        return reserve;
    }

    /// <summary>A longer buffer. What is packed so far is in it already, or in the former one, which stays until the end.</summary>
    /// <param name="length">Its bytes, at least.</param>
    /// <param name="isPooled">Whether it is an array of the pool at any length.</param>
    public Span<byte> Grow(int length, bool isPooled)
    {
        if (_own?.TryGrow(length) == true)
        {
            return _own.GetSpan();
        }

        LeaveScratch();
        if (isPooled || length <= ScratchBytes.LargestPooled)
        {
            return _pooled = ArrayPool<byte>.Shared.Rent(length);
        }

        _own = ScratchBytes.Rent(length);
        return _own.GetSpan();
    }

    /// <summary>The message goes on elsewhere; the buffer stays until the end, for the same reason.</summary>
    public void LeaveScratch()
    {
        if (_pooled is not null)
        {
            (_outgrown ??= []).Add(_pooled);
        }

        if (_own is not null)
        {
            (_outgrownOwn ??= []).Add(_own);
        }

        (_pooled, _own) = (null, null);
    }

    /// <summary>The memory that a long message has of its own, which is the caller's from now on; null if there is none.</summary>
    public ScratchBytes? TakeOwnMemory()
    {
        ScratchBytes? own = _own;
        _own = null;
        return own;
    }

    /// <summary>The known memory that the root message's large elements and compressed members take for a reader.</summary>
    public long Memory { get; set; }

    /// <summary>Ends a root message: object identity and counts do not reach beyond it.</summary>
    /// <param name="bytes">How many bytes it has.</param>
    public void EndRoot(int bytes)
    {
        _objects?.Clear();
        long memory = Memory;
        Memory = 0;
        if (memory > MemoryLimit.Known(bytes))
        {
            PackException.ThrowMemory(bytes, memory, bytes);
        }
    }

    /// <summary>Gives the buffers back, and itself. The writer must forget it.</summary>
    public void Return()
    {
        if (_pooled is not null)
        {
            ArrayPool<byte>.Shared.Return(_pooled);
        }

        ((IDisposable?)_own)?.Dispose();
        (_pooled, _own) = (null, null);
        _outgrown?.ForEach(static buffer => ArrayPool<byte>.Shared.Return(buffer));
        _outgrownOwn?.ForEach(static buffer => ((IDisposable)buffer).Dispose());
        (_outgrown, _outgrownOwn) = (null, null);
        _objects = null;
        Memory = 0;
        spare = this;
    }
}
