using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>
/// The least that shared memory asks for: one producer, one consumer, a ring of fixed slots, each message published at once,
/// indices cached. No typing, no recovery, no second producer, nothing kept.
/// <code>
/// offset  size
///    128     8  tail: bytes ever written
///    256     8  head: bytes ever read
///   4096        slots: 8 bytes of length, then the message
/// </code>
/// </summary>
internal static class Ring
{
    public const int TailOffset = 128, HeadOffset = 256, SlotsOffset = 4096, HeaderSize = 8;

    /// <summary>Slots of large messages.</summary>
    public const int Nodes = 20;

    // 4 MiB stay in the cache that the two processors share.
    private const int Capacity = 4 << 20, Large = 64 << 10;

    public static long FileSize(int size) => SlotsOffset + Used(size);

    public static int SlotSize(int size) => HeaderSize + ((size + 7) & ~7);

    /// <summary>Bytes of slots that are used: whole ones.</summary>
    public static int Used(int size) => (size < Large ? Capacity / SlotSize(size) : Nodes) * SlotSize(size);
}

/// <summary>The producer of a <see cref="Ring"/>.</summary>
internal unsafe struct RingSender : ISender
{
    private readonly SharedBytes _shared;
    private readonly byte* _start;
    private readonly byte[] _message;
    private readonly int _slot;
    private readonly int _used;
    private int _offset;
    private long _tail;
    private long _head;

    public RingSender(string place, int size)
    {
        _shared = new SharedBytes(place, Ring.FileSize(size));
        _start = _shared.Start;
        _message = new byte[size];
        Pattern.Fill(_message);
        _slot = Ring.SlotSize(size);
        _used = Ring.Used(size);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_message, number);
        while (_tail - _head + _slot > _used)
        {
            _head = Volatile.Read(ref *(long*)(_start + Ring.HeadOffset));
        }
        byte* slot = _start + Ring.SlotsOffset + _offset;
        *(long*)slot = _message.Length;
        _message.AsSpan().CopyTo(new Span<byte>(slot + Ring.HeaderSize, _message.Length));
        _offset = _offset + _slot == _used ? 0 : _offset + _slot;
        _tail += _slot;
        Volatile.Write(ref *(long*)(_start + Ring.TailOffset), _tail);
    }

    public readonly void Dispose() => _shared.Dispose();
}

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
