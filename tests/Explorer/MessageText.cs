using System.Buffers.Binary;

namespace BlitQueue.Explorer;

/// <summary>The payload of message <c>n</c>: two words, which both say so.</summary>
internal static class MessageText
{
    public const int Length = 16;

    private const long Factor = 0x1656_67B1_9E37_79F9;

    public static void Write(Span<byte> payload, int message)
    {
        BinaryPrimitives.WriteInt64LittleEndian(payload, message);
        BinaryPrimitives.WriteInt64LittleEndian(payload[8..], (message + 1) * Factor);
    }

    /// <returns>The message; -1 when it is none.</returns>
    public static int Read(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Length)
        {
            return -1;
        }
        long message = BinaryPrimitives.ReadInt64LittleEndian(payload);
        return message is >= 0 and < 64 && BinaryPrimitives.ReadInt64LittleEndian(payload[8..]) == (message + 1) * Factor
            ? (int)message
            : -1;
    }
}
