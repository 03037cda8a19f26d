using System.Buffers;

namespace BlitQueue.Segments;

/// <summary>Messages packed outside of the log, one behind the other: a batch, or a message that one record cannot hold.</summary>
internal sealed class StagedBatch : IBufferWriter<byte>, IDisposable
{
    private const int FirstSize = 4096;

    private readonly List<int> _ends = [];
    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(FirstSize);
    private int _length;

    /// <summary>How many messages it holds.</summary>
    public int Count => _ends.Count;

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

    /// <summary>Empties it for the next batch; keeps its memory.</summary>
    public void Clear()
    {
        _ends.Clear();
        _length = 0;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
    }
}
