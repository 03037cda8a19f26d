using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Pairs;

/// <summary>The same bytes copied twice: from an array into a mapped file as long as the files that the queue goes round, and out of it.</summary>
internal unsafe struct MappedCopyPair : IPair
{
    // Written, read, and passed.
    private const int Length = 3 * Transports.LargeSegment;

    private readonly SharedBytes _shared;
    private readonly byte[] _sent;
    private readonly byte[] _received;
    private int _offset;

    public MappedCopyPair(string place, int size)
    {
        _shared = new SharedBytes(Path.Combine(place, "copied"), Length);
        _sent = new byte[size];
        _received = new byte[size];
        Pattern.Fill(_sent);
        // Nobody's first touch is in the figure.
        new Span<byte>(_shared.Start, Length).Clear();
    }

    public long Pass(long number)
    {
        Pattern.Stamp(_sent, number);
        var slot = new Span<byte>(_shared.Start + _offset, _sent.Length);
        _sent.AsSpan().CopyTo(slot);
        slot.CopyTo(_received);
        _offset = _offset + (2 * _sent.Length) > Length ? 0 : _offset + _sent.Length;
        return Pattern.Check(_received);
    }

    public readonly void Dispose() => _shared.Dispose();
}
