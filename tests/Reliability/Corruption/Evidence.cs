using System.Buffers.Binary;

namespace BlitQueue.Reliability.Corruption;

/// <summary>A message that tells by itself which one it is and whether it is whole.</summary>
[QueueMessage]
public sealed partial class Evidence
{
    public long Key { get; set; }

    public string? Text { get; set; }

    public byte[]? Body { get; set; }

    /// <summary>The message of a key, with a body of so many bytes.</summary>
    public static Evidence Of(long key, int length)
    {
        byte[] body = new byte[length];
        Fill(key, body);
        return new Evidence { Key = key, Text = TextOf(key, length), Body = body };
    }

    /// <summary>Its key; -1 where it is not whole.</summary>
    public static long KeyOf(Evidence? message)
    {
        // Without checksums changed bytes may also say that it is null.
        if (message?.Body is not { } body || message.Text != TextOf(message.Key, body.Length))
        {
            return -1;
        }
        byte[] expected = new byte[body.Length];
        Fill(message.Key, expected);
        return body.AsSpan().SequenceEqual(expected) ? message.Key : -1;
    }

    /// <summary>Bytes that follow from the key.</summary>
    public static void Fill(long key, Span<byte> bytes)
    {
        ulong state = ((ulong)key * 0x9E3779B97F4A7C15UL) + (ulong)bytes.Length + 1;
        for (int i = 0; i < bytes.Length; i++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes[i] = (byte)state;
        }
    }

    private static string TextOf(long key, int length) => $"message {key} of {length} bytes";
}

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
