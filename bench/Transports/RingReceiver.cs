using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>The consumer of a <see cref="Ring"/>; copies each message out before it looks at it, as a queue must.</summary>
internal unsafe struct RingReceiver : IReceiver
{
    // The head is given back for several slots at a time: each store takes the line from the producer.
    private const int ReleaseEvery = 16;

    private readonly SharedBytes _shared;
    private readonly byte* _start;
    private readonly byte[] _message;
    private readonly int _slot;
    private readonly int _used;
    private int _offset;
    private readonly int _releaseEvery;
    private int _unreleased;
    private long _head;
    private long _tail;

    public RingReceiver(string place, int size)
    {
        _shared = new SharedBytes(place, Ring.FileSize(size));
        _start = _shared.Start;
        _message = new byte[size];
        _slot = Ring.SlotSize(size);
        _used = Ring.Used(size);
        _releaseEvery = Math.Min(ReleaseEvery, Ring.Used(size) / _slot / 4);
    }

    public long Receive()
    {
        while (_head == _tail)
        {
            _tail = Volatile.Read(ref *(long*)(_start + Ring.TailOffset));
        }
        byte* slot = _start + Ring.SlotsOffset + _offset;
        new ReadOnlySpan<byte>(slot + Ring.HeaderSize, (int)*(long*)slot).CopyTo(_message);
        _offset = _offset + _slot == _used ? 0 : _offset + _slot;
        _head += _slot;
        if (++_unreleased == _releaseEvery || _head == _tail)
        {
            _unreleased = 0;
            Volatile.Write(ref *(long*)(_start + Ring.HeadOffset), _head);
        }
        return Pattern.Check(_message);
    }

    public readonly void Dispose() => _shared.Dispose();
}
