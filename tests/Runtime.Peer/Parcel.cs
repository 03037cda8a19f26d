using System.Buffers.Binary;

namespace BlitQueue.Peer;

/// <summary>
/// A message that tells by itself whether it is whole: who sent it, its number, its length, and bytes that follow from the three.
/// </summary>
public interface IParcel
{
    int Producer { get; set; }

    long Number { get; set; }

    /// <summary>How many bytes the producer put in; <see cref="ParcelBytes.IsIntact"/> compares.</summary>
    int Length { get; set; }

    byte[] Body { get; set; }
}

/// <summary>The parcel that most campaigns and tests send.</summary>
[QueueMessage]
public sealed partial class Parcel : IParcel
{
    public int Producer { get; set; }

    public long Number { get; set; }

    public int Length { get; set; }

    public byte[] Body { get; set; } = [];

    /// <summary>Makes this the producer's parcel of that number.</summary>
    public Parcel Fill(int producer, long number, int length) => ParcelBytes.Fill(this, producer, number, length);

    /// <summary>Whether the bytes are those that the producer made.</summary>
    public bool IsIntact() => ParcelBytes.IsIntact(this);
}

/// <summary>The bytes of a parcel, which follow from its other members.</summary>
public static class ParcelBytes
{
    /// <summary>Makes this the producer's parcel of that number.</summary>
    public static T Fill<T>(T parcel, int producer, long number, int length)
        where T : IParcel
    {
        (parcel.Producer, parcel.Number, parcel.Length) = (producer, number, length);
        if (parcel.Body.Length != length)
        {
            parcel.Body = new byte[length];
        }
        ulong state = Seed(parcel);
        Span<byte> rest = parcel.Body;
        for (; rest.Length >= 8; rest = rest[8..])
        {
            BinaryPrimitives.WriteUInt64LittleEndian(rest, state = Next(state));
        }
        for (int i = 0; i < rest.Length; i++)
        {
            rest[i] = (byte)(state = Next(state));
        }
        return parcel;
    }

    /// <summary>Whether the bytes are those that the producer made.</summary>
    public static bool IsIntact(IParcel parcel)
    {
        ulong state = Seed(parcel);
        ReadOnlySpan<byte> rest = parcel.Body;
        if (rest.Length != parcel.Length)
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

    private static ulong Seed(IParcel parcel) =>
        ((ulong)(uint)parcel.Producer << 40) ^ ((ulong)parcel.Number << 8) ^ (uint)parcel.Length ^ 0x9E37_79B9_7F4A_7C15;

    private static ulong Next(ulong state)
    {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^ (state << 17);
    }
}
