using System.Buffers.Binary;

namespace BlitQueue.Peer;

/// <summary>
/// A message that tells by itself whether it is whole: who sent it, its number, its length, and bytes that follow from the three.
/// </summary>
[QueueMessage]
public sealed partial class Parcel
{
    public int Producer { get; set; }

    public long Number { get; set; }

    /// <summary>How many bytes the producer put in; <see cref="IsIntact"/> compares.</summary>
    public int Length { get; set; }

    public byte[] Body { get; set; } = [];

    /// <summary>Makes this the producer's parcel of that number.</summary>
    public Parcel Fill(int producer, long number, int length)
    {
        (Producer, Number, Length) = (producer, number, length);
        if (Body.Length != length)
        {
            Body = new byte[length];
        }
        ulong state = Seed;
        Span<byte> rest = Body;
        for (; rest.Length >= 8; rest = rest[8..])
        {
            BinaryPrimitives.WriteUInt64LittleEndian(rest, state = Next(state));
        }
        for (int i = 0; i < rest.Length; i++)
        {
            rest[i] = (byte)(state = Next(state));
        }
        return this;
    }

    /// <summary>Whether the bytes are those that the producer made.</summary>
    public bool IsIntact()
    {
        ulong state = Seed;
        ReadOnlySpan<byte> rest = Body;
        if (rest.Length != Length)
        {
            return false;
        }
        for (; rest.Length >= 8; rest = rest[8..])
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(rest) != (state = Next(state)))
            {
                return false;
            }
        }
        for (int i = 0; i < rest.Length; i++)
        {
            if (rest[i] != (byte)(state = Next(state)))
            {
                return false;
            }
        }
        return true;
    }

    private ulong Seed => ((ulong)(uint)Producer << 40) ^ ((ulong)Number << 8) ^ (uint)Length ^ 0x9E37_79B9_7F4A_7C15;

    private static ulong Next(ulong state)
    {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^ (state << 17);
    }
}
