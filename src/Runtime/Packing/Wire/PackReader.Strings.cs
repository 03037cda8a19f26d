using System.Text.Unicode;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Strings: the layout is in <see cref="MessageFormat"/>.</content>
public ref partial struct PackReader
{
    private const int MostComparedSingly = 32;

    private const int StringPrefixSize = MessageFormat.HeaderSize + MessageFormat.StringPrefixSize;

    /// <summary>Reads a string in either form.</summary>
    /// <param name="reuse">Returned as it is, without an allocation, if it equals the text of the bytes.</param>
    /// <returns>The string; null for the null mark.</returns>
    /// <exception cref="PackException">The lengths contradict each other, or the bytes are no such text.</exception>
    public string? ReadString(string? reuse = null)
    {
        // Reads both lengths at once, once, as the bytes may change, and has the position in a local until the end: this is the hot path
        // of most messages.
        ReadOnlySpan<byte> window = _window;
        int start = _position;
        if (Blit.TryRead(window, start, out ulong prefix))
        {
            uint chars = (uint)(prefix >> 32);
            uint length = (uint)prefix - MessageFormat.StringPrefixSize;
            start += StringPrefixSize;
            if (Blit.TrySlice(window, start, length, out ReadOnlySpan<byte> bytes))
            {
                _position = start + bytes.Length;
                return chars != length ? ReadOther(bytes, chars, start, reuse)
                    : reuse is not null && AsciiText.Equal(bytes, reuse) ? reuse
                    : NewAscii(bytes, start);
            }
        }

        return ReadUnusual();
    }

    /// <summary>Reads a variable that is a sequence of strings.</summary>
    /// <param name="reuse">Filled and returned when its length is right; its strings stay where they are already equal.</param>
    /// <returns>The array; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such sequence.</exception>
    public string?[]? ReadStringArray(string?[]? reuse = null)
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int count = ReadCount<string>();
        string?[] array = Sized(reuse, count);
        for (int i = 0; i < count; i++)
        {
            array[i] = ReadString(array[i]);
        }

        EndWholeVariable(scope);
        return array;
    }

    /// <summary>Reads a variable that is a sequence of strings.</summary>
    /// <param name="reuse">Filled and returned when there is one; its strings stay where they are already equal.</param>
    /// <returns>The list; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such sequence.</exception>
    public List<string?>? ReadStringList(List<string?>? reuse = null)
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int count = ReadCount<string>();
        List<string?> list = reuse ?? new List<string?>(count);
        CollectionsMarshal.SetCount(list, count);
        for (int i = 0; i < count; i++)
        {
            list[i] = ReadString(list[i]);
        }

        EndWholeVariable(scope);
        return list;
    }

    // Null, empty, or damaged.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string? ReadUnusual()
    {
        if (!TryReadLength(out int length))
        {
            return null;
        }

        if (length == 0)
        {
            return "";
        }

        // A whole text was read in one step: these bytes are damaged, or were a moment ago.
        return ThrowLengths(_position, 0, length);
    }

    /// <summary>Decodes what follows a string's prefix.</summary>
    internal static string ReadText(ReadOnlySpan<byte> bytes, uint prefix, int offset)
        => prefix == (uint)bytes.Length ? NewAscii(bytes, offset) : ReadOther(bytes, prefix, offset, reuse: null);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string NewAscii(ReadOnlySpan<byte> bytes, int offset)
    {
        if (bytes.Length > MessageFormat.MaxStringLength)
        {
            ThrowLengths(offset, bytes.Length, bytes.Length);
        }

        return string.Create(bytes.Length, new TextSource(bytes, offset), static (chars, source) =>
        {
            if (!AsciiText.TryWiden(source.Bytes, chars))
            {
                PackException.ThrowStringContent(source.Offset, chars.Length);
            }
        });
    }

    private static string ReadOther(ReadOnlySpan<byte> bytes, uint prefix, int offset, string? reuse)
    {
        uint chars = prefix & ~MessageFormat.Utf16Flag;
        if (!MessageFormat.FitsString(prefix, bytes.Length))
        {
            return ThrowLengths(offset, chars, bytes.Length);
        }

        return chars != prefix ? ReadUtf16(bytes, reuse) : ReadUtf8(bytes, (int)chars, offset, reuse);
    }

    private static string ReadUtf16(ReadOnlySpan<byte> bytes, string? reuse)
    {
        if (reuse is not null && Blit.AsBytes(reuse.AsSpan()).SequenceEqual(bytes))
        {
            return reuse;
        }

        return new string(Blit.View<char>(bytes));
    }

    private static string ReadUtf8(ReadOnlySpan<byte> bytes, int length, int offset, string? reuse)
    {
        if (reuse is not null && reuse.Length == length && EqualsUtf8(reuse, bytes))
        {
            return reuse;
        }

        return string.Create(length, new TextSource(bytes, offset), static (chars, source) =>
        {
            if (ThreeByteText.CanBe(source.Bytes.Length, chars.Length) && ThreeByteText.TryDecode(source.Bytes, chars))
            {
                return;
            }

            // With fewer chars than the prefix says, zeros would be left at the end; with more, the status is DestinationTooSmall.
            OperationStatus status = Utf8.ToUtf16(source.Bytes, chars, out _, out int written, replaceInvalidSequences: false);
            if (status != OperationStatus.Done || written != chars.Length)
            {
                PackException.ThrowStringContent(source.Offset, chars.Length);
            }
        });
    }

    /// <summary>Whether the bytes are the text's UTF-8.</summary>
    internal static bool EqualsUtf8(ReadOnlySpan<char> text, ReadOnlySpan<byte> bytes)
    {
        if (ThreeByteText.CanBe(bytes.Length, text.Length))
        {
            return ThreeByteText.Equal(bytes, text);
        }

        // Char by char where calling the framework's decoder takes longer: few chars, or nearly all of them three bytes long.
        if (text.Length > MostComparedSingly && bytes.Length < 2 * (long)text.Length)
        {
            return DecodesTo(text, bytes);
        }

        int at = 0;
        for (int i = 0; i < text.Length; i++)
        {
            uint one = text[i];
            if (char.IsSurrogate((char)one))
            {
                return DecodesTo(text[i..], bytes[at..]);
            }

            int length = one < 0x80 ? 1 : one < 0x800 ? 2 : 3;
            if (bytes.Length - at < length || Encoded(bytes.Slice(at, length)) != EncodingOf(one, length))
            {
                return false;
            }

            at += length;
        }

        return at == bytes.Length;
    }

    private static uint Encoded(ReadOnlySpan<byte> bytes) => bytes.Length switch
    {
        1 => bytes[0],
        2 => bytes[0] | ((uint)bytes[1] << 8),
        _ => bytes[0] | ((uint)bytes[1] << 8) | ((uint)bytes[2] << 16),
    };

    // The first byte in the low bits.
    private static uint EncodingOf(uint one, int length) => length switch
    {
        1 => one,
        2 => 0x80C0 | (one >> 6) | ((one & 0x3F) << 8),
        _ => 0x8080E0 | (one >> 12) | (((one >> 6) & 0x3F) << 8) | ((one & 0x3F) << 16),
    };

    // Decodes the bytes instead of encoding the string: a lone surrogate would be encoded as the bytes of U+FFFD and seem equal.
    private static bool DecodesTo(ReadOnlySpan<char> rest, ReadOnlySpan<byte> bytes)
    {
        Span<char> chunk = stackalloc char[128];
        while (true)
        {
            OperationStatus status = Utf8.ToUtf16(bytes, chunk, out int read, out int written, replaceInvalidSequences: false);
            if (!rest.StartsWith(chunk[..written], StringComparison.Ordinal))
            {
                return false;
            }

            rest = rest[written..];
            bytes = bytes[read..];
            if (status == OperationStatus.Done)
            {
                return rest.IsEmpty;
            }

            if (status != OperationStatus.DestinationTooSmall)
            {
                return false;
            }
        }
    }

    private static string ThrowLengths(int offset, long chars, long bytes)
    {
        PackException.ThrowStringLengths(offset, chars, bytes);
        return null;
    }

    private readonly ref struct TextSource(ReadOnlySpan<byte> bytes, int offset)
    {
        public ReadOnlySpan<byte> Bytes { get; } = bytes;

        public int Offset { get; } = offset;
    }
}
