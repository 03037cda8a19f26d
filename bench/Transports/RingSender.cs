using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

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
