namespace BlitQueue;

/// <summary>The numbers of the packed layout.</summary>
/// <remarks>
/// <code>
/// message  := u16 fixedLength, u16 variableCount, fixed block (fixedLength bytes), variableCount x variable     | u32 FFFFFFFF = null
/// variable := u32 byteLength, content (byteLength bytes)                                                        | u32 FFFFFFFF = null
/// sequence of fixed elements    : content = the elements back to back; count = byteLength / element size
/// sequence of variable elements : content = u32 count, count x variable, and not one byte more
/// string content                : ""      := nothing
///                                 UTF-8   := u32 utf16Length, bytes             utf16Length &lt;= bytes &lt;= 3 * utf16Length;
///                                                                               as many bytes as chars = pure ASCII
///                                 UTF-16  := u32 utf16Length | 80000000, bytes  bytes = 2 * utf16Length
/// </code>
/// Both lengths of a string are known before decoding, so the string is made at once with the right size. Everything is little-endian and
/// unaligned. A length is read once into a local, because the bytes may change while they are read.
/// </remarks>
internal static class MessageFormat
{
    /// <summary>Means null instead of a message's header or a variable's length.</summary>
    public const uint Null = 0xFFFFFFFF;

    /// <summary>Instead of a variable's length: no member of a version-tolerant message has this number.</summary>
    public const uint Hole = 0xFFFFFFFE;

    /// <summary>The size of a message's header and of a variable's length, in bytes.</summary>
    public const int HeaderSize = sizeof(uint);

    /// <summary>The most bytes of a fixed block, and the most variables of a message: 65535 is reserved for the null mark.</summary>
    public const int MaxPart = 65534;

    /// <summary>The largest header of a message: a larger one would have 65535 variables, or be the null mark.</summary>
    public const uint MaxHeader = ((uint)MaxPart << 16) | MaxPart;

    /// <summary>How many messages may be open inside each other.</summary>
    public const int MaxDepth = 64;

    /// <summary>From so many open messages on, the next one begins only if the thread's stack suffices for it.</summary>
    public const int DepthThatLooksAtStack = 8;

    /// <summary>
    /// How many variables may be open inside each other, so that packers which nest variables without messages are limited too.
    /// </summary>
    public const int MaxOpenVariables = 512;

    /// <summary>The size of a union's fixed block: the case's tag.</summary>
    public const int UnionFixedLength = sizeof(ushort);

    /// <summary>A union's variables: the case's message.</summary>
    public const int UnionVariableCount = 1;

    /// <summary>The size of the fixed block of a repeated object: the object's number.</summary>
    public const int RepeatFixedLength = sizeof(uint);

    /// <summary>The count of variables that marks a repeated object; no message with identity has so many.</summary>
    public const int RepeatVariableCount = MaxPart;

    /// <summary>A message's header: the fixed block's length in the low half, the count of variables in the high half.</summary>
    public static uint Header(int fixedLength, int variableCount) => (uint)fixedLength | ((uint)variableCount << 16);

    /// <summary>The size of the UTF-16 length in front of the bytes.</summary>
    public const int StringPrefixSize = sizeof(uint);

    /// <summary>Set in the UTF-16 length when the bytes are UTF-16.</summary>
    public const uint Utf16Flag = 0x80000000;

    /// <summary>The most UTF-8 bytes that one UTF-16 char can become.</summary>
    public const int MaxBytesPerChar = 3;

    /// <summary>The longest string the runtime can make, in chars.</summary>
    public const uint MaxStringLength = 0x3FFFFFDF;

    /// <summary>Whether a string with this UTF-16 length, flagged or not, can have so many bytes.</summary>
    public static bool FitsString(uint prefix, int bytes)
    {
        uint chars = prefix & ~Utf16Flag;
        return chars <= MaxStringLength
            && (chars != prefix
                ? (uint)bytes == chars * (ulong)sizeof(char)
                : chars <= (uint)bytes && (uint)bytes <= chars * (ulong)MaxBytesPerChar);
    }
}
