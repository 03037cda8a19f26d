using System.Buffers;

namespace BlitQueue.Tests.Packing.Samples;

/// <summary>
/// A destination that offers as little room as it may: a span of <paramref name="offered"/> bytes unless more is asked for.
/// </summary>
public sealed class Rooms(int offered) : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _room = [];

    public int Advances { get; private set; }

    public byte[] Written => [.. _written];

    public void Advance(int count)
    {
        Advances++;
        _written.AddRange(_room.AsSpan(0, count));
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        _room = new byte[Math.Max(offered, sizeHint)];
        _room.AsSpan().Fill(0xCC);
        return _room;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
