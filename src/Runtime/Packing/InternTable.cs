namespace BlitQueue;

/// <summary>The strings that were unpacked last, one for each hash: bounded whatever comes, and never searched.</summary>
/// <remarks>
/// Any thread reads and writes its places without a lock. A reference is stored whole and after what it points to, so the worst that can
/// happen is that one of two strings is forgotten.
/// </remarks>
internal static class InternTable
{
    /// <summary>The most bytes, and so chars, of a string that is kept.</summary>
    public const int MaxLength = 128;

    private const int Places = 4096;

    private static readonly string?[] Strings = new string?[Places];

    /// <summary>The place of a string with these bytes. The hash is another one in each process; who defeats it only makes the table useless.</summary>
    public static ref string? PlaceOf(ReadOnlySpan<byte> bytes)
    {
        var hash = default(HashCode);
        hash.AddBytes(bytes);
        return ref Strings[hash.ToHashCode() & (Places - 1)];
    }
}
