using System.Text.Unicode;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Reading for the packers that come with the library.</content>
public ref partial struct PackReader
{
    internal bool[]? ReadBits(bool[]? reuse)
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int start = _position;
        uint count = ReadRaw<uint>();
        if (count > Array.MaxLength || ObjectFormat.BitBytes(count) != Remaining)
        {
            PackException.ThrowObject(start, "row of bits");
        }

        Expect(count);
        ReadOnlySpan<byte> bits = _window[_position..];
        bool[] values = reuse is not null && reuse.Length == (int)count ? reuse : NewArray<bool>((int)count);
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = ((bits[i >> 3] >> (i & 7)) & 1) != 0;
        }

        EndVariable(scope);
        return values;
    }

    internal string? ReadInterned(string? reuse)
    {
        bool isShort = Blit.TryRead(_window, _position, out uint length)
            && length is > MessageFormat.StringPrefixSize and <= InternedString.MaxLength + MessageFormat.StringPrefixSize;
        if (!isShort || !Blit.TrySlice(_window, _position + MessageFormat.HeaderSize, length, out ReadOnlySpan<byte> content))
        {
            return ReadString(reuse);
        }

        ref string? slot = ref InternedString.SlotOf(content);
        string? known = slot;
        string? text = ReadString(known ?? reuse);

        // Checked again, because the bytes may have changed since their length was read.
        if (!ReferenceEquals(text, known) && text is { Length: <= InternedString.MaxLength })
        {
            slot = text;
        }

        return text;
    }

    internal byte[]? ReadBrotli(int maxLength, byte[]? reuse)
    {
        if (!TryReadCompressed(maxLength, BrotliFormat.BytesInMemory, out ReadOnlySpan<byte> source, out int length))
        {
            return null;
        }

        int start = _position - source.Length;
        Expect(length);
        byte[] bytes = reuse is not null && reuse.Length == length ? reuse : NewArray<byte>(length);
        if (!BrotliFormat.TryDecompress(source, bytes))
        {
            PackException.ThrowObject(start, BrotliFormat.Name);
        }

        return bytes;
    }

    internal string? ReadBrotliString(int maxLength, string? reuse)
    {
        if (!TryReadCompressed(maxLength, BrotliFormat.TextInMemory, out ReadOnlySpan<byte> source, out int length))
        {
            return null;
        }

        int start = _position - source.Length;
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BrotliFormat.BufferFor(length, maxLength));
        try
        {
            Span<byte> bytes = buffer.AsSpan(0, length);
            if (!BrotliFormat.TryDecompress(source, bytes))
            {
                PackException.ThrowObject(start, BrotliFormat.Name);
            }

            if (reuse is not null && EqualsUtf8(reuse, bytes))
            {
                return reuse;
            }

            int chars = Encoding.UTF8.GetCharCount(bytes);
            Expect((long)chars * sizeof(char));
            return string.Create(chars, new TextSource(bytes, start), static (chars, text) =>
            {
                if (Utf8.ToUtf16(text.Bytes, chars, out _, out _, replaceInvalidSequences: false) != OperationStatus.Done)
                {
                    PackException.ThrowStringContent(text.Offset, chars.Length);
                }
            });
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    // False for null. The caller may allocate so many bytes: the stream is known to contain them, or is at most 16 times shorter; and all
    // compressed members together take no more than the bytes warrant.
    private bool TryReadCompressed(int maxLength, int inMemory, out ReadOnlySpan<byte> source, out int length)
    {
        length = 0;
        if (!TryReadElements(1, out source, out int size))
        {
            return false;
        }

        if (size == 0)
        {
            return true;
        }

        int start = _position - size;
        if (!Blit.TryRead(source, 0, out uint declared) || declared == 0 || declared > maxLength)
        {
            PackException.ThrowObject(start, $"{BrotliFormat.Name} of 1 to {maxLength:N0} bytes");
        }

        source = source[sizeof(uint)..];
        length = (int)declared;
        ExpectKnown((long)length * inMemory);
        if (length / BrotliFormat.UsualRatio > source.Length && !BrotliFormat.Yields(source, length))
        {
            PackException.ThrowObject(start, BrotliFormat.Name);
        }

        return true;
    }
}
