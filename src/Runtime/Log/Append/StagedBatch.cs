using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Messages packed outside of the log, one behind the other: a batch, or a message that is too long for one record.</summary>
internal sealed class StagedBatch : IGrowingBuffer, IDisposable
{
    private const int FirstSize = 4096;

    // Each thread reuses one; a nested use (packing runs code that enqueues) gets another.
    [ThreadStatic]
    private static StagedBatch? Spare;

    private readonly List<(int End, int Properties)> _messages = [];
    private ScratchBytes _bytes = ScratchBytes.Rent(FirstSize);

    // The former buffer, in which the open message was begun: until the message ends, the writer may still write into it, in vain.
    private ScratchBytes? _outgrown;
    private int _length;
    private long _extents;
    private (long Position, long End) _laidOut;

    /// <summary>How many messages the batch has.</summary>
    public int Count => _messages.Count;

    /// <summary>How many bytes are packed so far.</summary>
    public int Length => _length;

    /// <summary>How many bytes its records take, which must not exceed the capacity.</summary>
    // Includes the announcing record of a batch, but not the headers of a long message's further pieces.
    public long Extent => (Count == 1 ? 0 : BatchLayout.AnnouncementExtent) + _extents;

    /// <summary>Whether it is a single message that fits into one record.</summary>
    public bool IsOneRecord(QueueMeta meta) => Count == 1 && _length <= meta.LongestRecord;

    /// <summary>
    /// The position behind the batch if it is appended at this position: padding at segment ends and segment headers included.
    /// </summary>
    public long End(long position, QueueMeta meta)
    {
        if (_laidOut.Position != position)
        {
            _laidOut = (position, BatchLayout.End(this, meta, position));
        }
        return _laidOut.End;
    }

    /// <summary>The packed message with this index, with its properties, if any, in front.</summary>
    public ReadOnlySpan<byte> this[int index] => _bytes.GetSpan()[StartOf(index).._messages[index].End];

    /// <summary>How many bytes of properties a message begins with; 0 for none.</summary>
    public int PropertiesLength(int index) => _messages[index].Properties;

    /// <summary>Sets the enqueue time of those messages that have one.</summary>
    public void Stamp(long ticks)
    {
        for (int i = 0; i < Count; i++)
        {
            if (_messages[i].Properties > 0)
            {
                PropertyBlock.Stamp(_bytes.GetSpan().Slice(StartOf(i), _messages[i].Properties), ticks);
            }
        }
    }

    /// <summary>Ends a message: the bytes written since the last call, which begin with so many bytes of properties.</summary>
    public void EndMessage(int properties = 0)
    {
        _messages.Add((_length, properties));
        _extents += RecordFormat.Extent(this[Count - 1].Length);
        _laidOut = default;
    }

    /// <summary>Adds a copy of a packed message, behind so many bytes of properties that were written for it before.</summary>
    public void Add(ReadOnlySpan<byte> message, int properties = 0)
    {
        message.CopyTo(GetSpan(message.Length));
        Advance(message.Length);
        EndMessage(properties);
    }

    /// <summary>Removes the messages from this index on, and what was written behind the last one.</summary>
    public void CutBack(int count)
    {
        for (; Count > count; _messages.RemoveAt(Count - 1))
        {
            _extents -= RecordFormat.Extent(this[Count - 1].Length);
        }
        _laidOut = default;
        _length = StartOf(count);
    }

    private int StartOf(int index) => index == 0 ? 0 : _messages[index - 1].End;

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.Memory[_length..];
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.GetSpan()[_length..];
    }

    public bool TryGrow(int size, out Span<byte> room)
    {
        int needed = checked(_length + size);
        if (!_bytes.TryGrow(needed))
        {
            ScratchBytes? larger = Larger(needed);
            if (!larger.Grows)
            {
                GiveBack(ref larger);
                room = default;
                return false;
            }
            (_outgrown, _bytes) = (_bytes, larger);
        }
        room = _bytes.GetSpan()[_length..];
        return true;
    }

    private void Reserve(int sizeHint)
    {
        int needed = checked(_length + Math.Max(sizeHint, 256));
        if (!_bytes.TryGrow(needed))
        {
            ScratchBytes? outgrown = _bytes;
            _bytes = Larger(needed);
            GiveBack(ref outgrown);
        }
    }

    private ScratchBytes Larger(int needed)
    {
        var larger = ScratchBytes.Rent((int)Math.Min(Math.Max((long)needed, 2L * _bytes.Length), Array.MaxLength));
        _bytes.GetSpan()[.._length].CopyTo(larger.GetSpan());
        return larger;
    }

    private static void GiveBack(ref ScratchBytes? bytes)
    {
        ((IDisposable?)bytes)?.Dispose();
        bytes = null;
    }

    /// <summary>An empty batch; the caller disposes it to give it back.</summary>
    public static StagedBatch Rent()
    {
        StagedBatch staged = Spare ?? new StagedBatch();
        Spare = null;
        return staged;
    }

    /// <summary>Empties the batch and stores it for this thread's next use, unless it has become large.</summary>
    public void Dispose()
    {
        _messages.Clear();
        (_length, _extents, _laidOut) = (0, 0, default);
        GiveBack(ref _outgrown);
        if (_bytes.Length > ScratchBytes.LargestPooled)
        {
            ((IDisposable)_bytes).Dispose();
            _bytes = ScratchBytes.Rent(FirstSize);
        }
        Spare = this;
    }
}
