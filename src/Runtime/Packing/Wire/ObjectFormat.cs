namespace BlitQueue;

/// <summary>The layout of the well-known types of variable size, for writer and reader.</summary>
internal static class ObjectFormat
{
    /// <summary>Four numbers of 4 bytes.</summary>
    public const int VersionSize = 16;

    /// <summary>The most bytes of a BigInteger; one more would be an OverflowException.</summary>
    public const int MaxBigInteger = int.MaxValue / 8;

    /// <summary>
    /// Whether a text begins like a path. Some systems take it for absolute and others for relative, so it is always taken for relative.
    /// </summary>
    public static bool IsRooted(string text) => text is ['/' or '\\', ..] or [_, ':' or '|', '/' or '\\', ..];

    /// <summary>How many bytes so many bits take.</summary>
    public static long BitBytes(uint bits) => (bits + 7L) / 8;

    /// <summary>Sets the unused bits of the last byte to zero, so that equal bits are equal bytes.</summary>
    public static void ClearSurplus(Span<byte> bytes, int bits)
    {
        if (bits % 8 != 0)
        {
            bytes[^1] &= (byte)((1 << (bits % 8)) - 1);
        }
    }
}
