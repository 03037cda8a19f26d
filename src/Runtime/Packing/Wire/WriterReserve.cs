using System.Buffers;

namespace BlitQueue;

/// <summary>What only some messages need while they are packed: a scratch buffer, and the objects met so far.</summary>
internal sealed class WriterReserve
{
    // The last one that a writer of this thread gave back: packing through scratch allocates nothing.
    [ThreadStatic]
    private static WriterReserve? spare;

    // Outgrown buffers go back to the pool at the end only: a fixed block handed out earlier may still point into one.
    private List<byte[]>? _outgrown;
    private ObjectTable? _objects;

    /// <summary>The buffer in use; null while all is in the destination's own room.</summary>
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

    /// <summary>What was packed goes on in the destination; the buffer stays until the end, for the same reason.</summary>
    public void LeaveScratch()
    {
        if (Scratch is not null)
        {
            (_outgrown ??= []).Add(Scratch);
        }

        Scratch = null;
    }

    /// <summary>What the root message's large elements and compressed members are known to take where they are read.</summary>
    public long Memory { get; set; }

    /// <summary>At the end of a root message: neither identity nor what is counted reaches beyond it.</summary>
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
