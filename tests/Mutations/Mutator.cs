using System.Buffers.Binary;

namespace BlitQueue.Mutations;

/// <summary>Changes bytes in ways that lengths, counts and marks are likely to trip over.</summary>
internal static class Mutator
{
    private static readonly uint[] Nasty =
    [
        0, 1, 2, 3, 4, 8, 16, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001,
        0xFFFFFFFC, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF,
    ];

    private const int ChangesOfLength = 6;

    /// <summary>How many single changes <see cref="Systematic"/> has for a payload of so many bytes.</summary>
    public static int CountSystematic(int length) => length * (2 * Nasty.Length + ChangesOfLength + 8 + 3);

    /// <summary>
    /// One of all single changes: at every offset every nasty number, the length there a little off, every bit, every cut.
    /// </summary>
    public static byte[] Systematic(byte[] payload, int number)
    {
        (int kind, int at) = Math.DivRem(number, payload.Length);
        byte[] bytes = (byte[])payload.Clone();
        if (kind < Nasty.Length)
        {
            return Put(bytes, at, Nasty[kind]);
        }

        if ((kind -= Nasty.Length) < Nasty.Length)
        {
            return PutShort(bytes, at, (ushort)Nasty[kind]);
        }

        if ((kind -= Nasty.Length) < ChangesOfLength)
        {
            return Add(bytes, at, (kind < ChangesOfLength / 2 ? -1 : 1) << (kind % (ChangesOfLength / 2)));
        }

        if ((kind -= ChangesOfLength) < 8)
        {
            bytes[at] ^= (byte)(1 << kind);
        }
        else if (kind == 8)
        {
            return bytes[..at];
        }
        else if (kind == 9)
        {
            return [.. bytes[..at], .. bytes[(at + 1)..]];
        }
        else
        {
            return [.. bytes[..at], (byte)at, .. bytes[at..]];
        }

        return bytes;
    }

    /// <summary>One to four changes of any kind.</summary>
    public static byte[] Random(byte[] payload, byte[] other, Random random)
    {
        byte[] bytes = (byte[])payload.Clone();
        for (int changes = random.Next(1, 5); changes > 0 && bytes.Length > 0; changes--)
        {
            bytes = Change(bytes, other, random);
        }

        return bytes;
    }

    private static byte[] Change(byte[] bytes, byte[] other, Random random)
    {
        int at = random.Next(bytes.Length);
        switch (random.Next(12))
        {
            case 0 or 1:
                bytes[at] ^= (byte)(1 << random.Next(8));
                return bytes;
            case 2 or 3:
                bytes[at] = (byte)random.Next(256);
                return bytes;
            case 4 or 5:
                return Put(bytes, at, Nasty[random.Next(Nasty.Length)]);
            case 6:
                return PutShort(bytes, at, (ushort)Nasty[random.Next(Nasty.Length)]);
            case 7:
                // A length that goes to the end, or just misses it.
                return Put(bytes, at, (uint)(bytes.Length - at - 4 + random.Next(-1, 2)));
            case 8:
                return Add(bytes, at, random.Next(-9, 10));
            case 9:
                return bytes[..at];
            case 10:
                (int from, int count) = Range(other, random);
                return [.. bytes[..at], .. other.AsSpan(from, count),
                    .. bytes[(random.Next(2) == 0 ? at : random.Next(at, bytes.Length))..]];
            default:
                (from, count) = Range(bytes, random);
                return [.. bytes[..at], .. bytes.AsSpan(from, count), .. bytes[at..]];
        }
    }

    private static (int From, int Count) Range(byte[] bytes, Random random)
    {
        int from = random.Next(bytes.Length + 1);
        return (from, random.Next(Math.Min(64, bytes.Length - from) + 1));
    }

    private static byte[] Put(byte[] bytes, int at, uint value)
    {
        Span<byte> raw = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(raw, value);
        raw[..Math.Min(4, bytes.Length - at)].CopyTo(bytes.AsSpan(at));
        return bytes;
    }

    private static byte[] PutShort(byte[] bytes, int at, ushort value)
    {
        bytes[at] = (byte)value;
        if (at + 1 < bytes.Length)
        {
            bytes[at + 1] = (byte)(value >> 8);
        }

        return bytes;
    }

    private static byte[] Add(byte[] bytes, int at, int change)
        => at + 4 > bytes.Length ? bytes : Put(bytes, at, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at)) + (uint)change);
}
