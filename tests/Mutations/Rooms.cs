using System.Buffers;

namespace BlitQueue.Mutations;

/// <summary>A destination with dirty memory, that offers as little room as it may.</summary>
/// <param name="offered">The room that is offered unless more is asked for, in bytes.</param>
/// <param name="dirt">What the room is full of.</param>
internal sealed class Rooms(int offered, byte dirt) : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _room = [];

    public byte[] Written => [.. _written];

    public void Advance(int count) => _written.AddRange(_room.AsSpan(0, count));

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        _room = new byte[Math.Max(offered, sizeHint)];
        Array.Fill(_room, dirt);
        return _room;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
