namespace BlitQueue;

/// <summary>What the well-known types of variable size look like, for writer and reader.</summary>
internal static class ObjectFormat
{
    /// <summary>Four numbers of 4 bytes.</summary>
    public const int VersionSize = 16;

    /// <summary>What a BigInteger can hold, in bytes; one more would be an OverflowException.</summary>
    public const int MaxBigInteger = int.MaxValue / 8;

    /// <summary>
    /// Whether a text begins as a path does: absolute on some systems and relative on others, so it is always taken for relative.
    /// </summary>
    public static bool IsRooted(string text) => text is ['/' or '\\', ..] or [_, ':' or '|', '/' or '\\', ..];

    /// <summary>How many bytes hold so many bits.</summary>
    public static long BitBytes(uint bits) => (bits + 7L) / 8;

    /// <summary>Zeros behind the last bit of a byte that is not full: equal bits are equal bytes.</summary>
    public static void ClearSurplus(Span<byte> bytes, int bits)
    {
        if (bits % 8 != 0)
        {
            bytes[^1] &= (byte)((1 << (bits % 8)) - 1);
        }
    }
}
