using System.Buffers;

namespace BlitQueue.Tests.Packing.Samples;

/// <summary>Cuts bytes into a sequence of segments of a given size.</summary>
public sealed class Segment : ReadOnlySequenceSegment<byte>
{
    private Segment(ReadOnlyMemory<byte> memory, long start)
    {
        Memory = memory;
        RunningIndex = start;
    }

    public static ReadOnlySequence<byte> Split(byte[] bytes, int size)
    {
        var first = new Segment(bytes.AsMemory(0, Math.Min(size, bytes.Length)), 0);
        Segment last = first;
        for (int start = size; start < bytes.Length; start += size)
        {
            var next = new Segment(bytes.AsMemory(start, Math.Min(size, bytes.Length - start)), start);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
