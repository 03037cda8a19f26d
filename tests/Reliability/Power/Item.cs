using System.Buffers.Binary;

namespace BlitQueue.Reliability.Power;

/// <summary>A message whose bytes follow from its number.</summary>
[QueueMessage]
internal sealed partial class Item
{
    public long Number { get; set; }

    public byte[] Body { get; set; } = [];

    public Item Fill(long number, int length)
    {
        Number = number;
        Body = BodyOf(number, length);
        return this;
    }

    public bool IsWhole => Body.AsSpan().SequenceEqual(BodyOf(Number, Body.Length));

    public static byte[] BodyOf(long number, int length)
    {
        byte[] body = new byte[(length + 7) & ~7];
        ulong state = ((ulong)number * 0x9E37_79B9_7F4A_7C15) ^ (ulong)length;
        for (int i = 0; i < body.Length; i += 8)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            BinaryPrimitives.WriteUInt64LittleEndian(body.AsSpan(i), state);
        }
        return body[..length];
    }
}

/// <summary>
/// A newer version of <see cref="Item"/>: a member was appended, so that the process that opens a queue with it writes the schema.
/// </summary>
[QueueMessage]
internal sealed partial class GrownItem
{
    public long Number { get; set; }

    public byte[] Body { get; set; } = [];

    public string? Remark { get; set; }
}
