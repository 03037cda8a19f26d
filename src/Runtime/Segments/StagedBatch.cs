using System.Buffers;

namespace BlitQueue.Segments;

/// <summary>Messages packed outside of the log, one behind the other: a batch, or a message that one record cannot hold.</summary>
internal sealed class StagedBatch : IBufferWriter<byte>, IDisposable
{
    private const int FirstSize = 4096, LargestKept = 1 << 20;

    // One is kept per thread; a nested use (packing runs code that enqueues) gets its own.
    [ThreadStatic]
    private static StagedBatch? Spare;

    private readonly List<int> _ends = [];
    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstSize);
    private int _length;

    /// <summary>How many messages it holds.</summary>
    public int Count => _ends.Count;

    /// <summary>Packed bytes so far.</summary>
    public int Length => _length;

    /// <summary>Bytes of log that it takes, but for padding at segment ends.</summary>
    public long Extent
    {
        get
        {
            // A batch is announced by a record of its own; the pieces of a long message have a header each, which this leaves out.
            long extent = Count == 1 ? 0 : RecordFormat.Extent(sizeof(long));
            for (int i = 0; i < Count; i++)
            {
                extent += RecordFormat.Extent(this[i].Length);
            }
            return extent;
        }
    }

    /// <summary>The packed message with this index.</summary>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            int start = index == 0 ? 0 : _ends[index - 1];
            return _bytes.AsSpan(start, _ends[index] - start);
        }
    }

    /// <summary>What was written since the last call is one message.</summary>
    public void EndMessage() => _ends.Add(_length);

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(_length);
    }

    private void Reserve(int sizeHint)
    {
        int needed = checked(_length + Math.Max(sizeHint, 256));
        if (needed <= _bytes.Length)
        {
            return;
        }
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Math.Max((long)needed, 2L * _bytes.Length), Array.MaxLength));
        _bytes.AsSpan(0, _length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }

    /// <summary>An empty one; dispose it to give it back.</summary>
    public static StagedBatch Rent()
    {
        StagedBatch staged = Spare ?? new StagedBatch();
        Spare = null;
        return staged;
    }

    /// <summary>Empties it and keeps it for this thread's next use, unless it has become large.</summary>
    public void Dispose()
    {
        _ends.Clear();
        _length = 0;
        if (_bytes.Length > LargestKept)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = ArrayPool<byte>.Shared.Rent(FirstSize);
        }
        Spare = this;
    }
}
