namespace BlitQueue;

/// <summary>The content of a string variable.</summary>
/// <remarks>
/// <code>
/// ""      := nothing
/// UTF-8   := u32 utf16Length, bytes      utf16Length &lt;= bytes &lt;= 3 * utf16Length; as many bytes as chars = pure ASCII
/// UTF-16  := u32 utf16Length | 80000000, bytes      bytes = 2 * utf16Length
/// </code>
/// Both lengths are known before decoding, so a string of the right size is filled in one pass.
/// </remarks>
internal static class StringFormat
{
    /// <summary>The size of the UTF-16 length in front of the bytes.</summary>
    public const int PrefixSize = sizeof(uint);

    /// <summary>Set in the UTF-16 length when the bytes are UTF-16.</summary>
    public const uint Utf16Flag = 0x80000000;

    /// <summary>The most UTF-8 bytes that one UTF-16 char can become.</summary>
    public const int MaxBytesPerChar = 3;

    /// <summary>The longest string the runtime can make, in chars.</summary>
    public const uint MaxLength = 0x3FFFFFDF;

    /// <summary>Whether a string with this UTF-16 length, flagged or not, can have so many bytes.</summary>
    public static bool Fits(uint prefix, int bytes)
    {
        uint chars = prefix & ~Utf16Flag;
        return chars <= MaxLength
            && (chars != prefix
                ? (uint)bytes == chars * (ulong)sizeof(char)
                : chars <= (uint)bytes && (uint)bytes <= chars * (ulong)MaxBytesPerChar);
    }
}
