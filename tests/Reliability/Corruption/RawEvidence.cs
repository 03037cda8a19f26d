using System.Buffers.Binary;

namespace BlitQueue.Reliability.Corruption;

/// <summary>The same for bytes: the key, then bytes that follow from it.</summary>
internal static class RawEvidence
{
    public static RawMessage Of(long key, int length)
    {
        byte[] bytes = new byte[8 + length];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, key);
        Evidence.Fill(key, bytes.AsSpan(8));
        return new RawMessage(bytes);
    }

    public static long KeyOf(RawMessage? message)
    {
        if (message is null || message.Bytes.Length < 8)
        {
            return -1;
        }
        long key = BinaryPrimitives.ReadInt64LittleEndian(message.Bytes);
        byte[] expected = new byte[message.Bytes.Length - 8];
        Evidence.Fill(key, expected);
        return message.Bytes[8..].SequenceEqual(expected) ? key : -1;
    }
}
