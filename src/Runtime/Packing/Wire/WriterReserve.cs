namespace BlitQueue;

/// <summary>Parts of a writer that only some messages need: a scratch buffer, and the objects met so far.</summary>
internal sealed class WriterReserve
{
    // The last one that a writer of this thread gave back, so that packing into a scratch buffer allocates nothing.
    [ThreadStatic]
    private static WriterReserve? spare;

    // Outgrown buffers go back to the pool only at the end: a fixed block that was returned earlier may still point into one.
    private List<byte[]>? _outgrown;
    private ObjectTable? _objects;

    /// <summary>The buffer in use; null while everything is in the destination's own room.</summary>
    public byte[]? Scratch { get; private set; }

    public ObjectTable Objects => _objects ??= new ObjectTable();

    public static WriterReserve Rent()
    {
        WriterReserve reserve = spare ?? new WriterReserve();
        spare = null;
        return reserve;
    }

    public void Replace(byte[] buffer)
    {
        if (Scratch is not null)
        {
            (_outgrown ??= []).Add(Scratch);
        }

        Scratch = buffer;
    }

    /// <summary>The message goes on in the destination; the buffer stays until the end, for the same reason.</summary>
    public void LeaveScratch()
    {
        if (Scratch is not null)
        {
            (_outgrown ??= []).Add(Scratch);
        }

        Scratch = null;
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
        if (Scratch is not null)
        {
            ArrayPool<byte>.Shared.Return(Scratch);
        }

        Scratch = null;
        _outgrown?.ForEach(static buffer => ArrayPool<byte>.Shared.Return(buffer));
        _outgrown = null;
        _objects = null;
        Memory = 0;
        spare = this;
    }
}
