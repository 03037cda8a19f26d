using System.Buffers;

namespace BlitQueue.Peers;

/// <summary>Bytes in segments of so many.</summary>
internal sealed class Segment : ReadOnlySequenceSegment<byte>
{
    private Segment(ReadOnlyMemory<byte> bytes, long before) => (Memory, RunningIndex) = (bytes, before);

    public static ReadOnlySequence<byte> Split(byte[] bytes, int size)
    {
        Segment first = new(bytes.AsMemory(0, size), 0), last = first;
        for (int at = size; at < bytes.Length; at += size)
        {
            var next = new Segment(bytes.AsMemory(at, Math.Min(size, bytes.Length - at)), at);
            last.Next = next;
            last = next;
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
