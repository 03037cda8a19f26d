using System.Text.Unicode;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Strings: the layout is in <see cref="MessageFormat"/>.</content>
public ref partial struct PackWriter
{
    private const int StringPrefixSize = MessageFormat.HeaderSize + MessageFormat.StringPrefixSize;

    /// <summary>Writes a string as UTF-8, or the null mark. A lone surrogate becomes U+FFFD.</summary>
    /// <param name="value">The string.</param>
    public void WriteString(string? value)
    {
        if (string.IsNullOrEmpty(value))
        {
            WriteRaw(value is null ? MessageFormat.Null : 0u);
            return;
        }

        // ASCII is the common case, and the only one whose size is known before: so this must not ask for more room than it needs.
        int start = _written;
        Span<byte> room = _room;
        if (room.Length - start >= (long)StringPrefixSize + value.Length)
        {
            if (AsciiText.TryNarrow(value, room.Slice(start + StringPrefixSize, value.Length)))
            {
                EndString(start, (uint)value.Length, value.Length);
                return;
            }
        }

        WriteUtf8(value);
    }

    /// <summary>Writes a string in the form asked for, or the null mark.</summary>
    /// <param name="value">The string.</param>
    /// <param name="encoding">The form.</param>
    public void WriteString(string? value, StringEncoding encoding)
    {
        if (encoding == StringEncoding.Utf16 && !string.IsNullOrEmpty(value))
        {
            WriteUtf16(value);
        }
        else
        {
            WriteString(value);
        }
    }

    /// <summary>Writes a variable: the strings, each a variable of its own.</summary>
    /// <param name="values">Any number of strings or nulls.</param>
    /// <param name="encoding">The form of each.</param>
    public void WriteStrings(scoped ReadOnlySpan<string?> values, StringEncoding encoding = StringEncoding.Utf8)
    {
        VariableMark mark = BeginVariable();
        WriteCount(values.Length);
        foreach (string? value in values)
        {
            WriteString(value, encoding);
        }

        EndVariable(mark);
    }

    // Claims three bytes for each char if they fit; near the end of a fixed room it pays to count the exact size.
    private void WriteUtf8(string value)
    {
        long most = (long)value.Length * MessageFormat.MaxBytesPerChar;
        if (_room.Length - _written - StringPrefixSize < most)
        {
            Claim(StringPrefixSize + CountUtf8(value));
        }

        int start = _written + StringPrefixSize;
        if (ThreeByteText.TryEncode(value, _room[start..]))
        {
            EndString(_written, (uint)value.Length, value.Length * MessageFormat.MaxBytesPerChar);
            return;
        }

        Utf8.FromUtf16(value, _room[start..], out _, out int bytes, replaceInvalidSequences: true);
        EndString(_written, (uint)value.Length, bytes);
    }

    // The framework counts up to 2 GiB, so very long text is counted in halves. If a surrogate pair is cut in two, the count is only too
    // high.
    private static long CountUtf8(ReadOnlySpan<char> value)
    {
        if (value.Length <= int.MaxValue / MessageFormat.MaxBytesPerChar)
        {
            return Encoding.UTF8.GetByteCount(value);
        }

        int half = value.Length / 2;
        return (long)Encoding.UTF8.GetByteCount(value[..half]) + Encoding.UTF8.GetByteCount(value[half..]);
    }

    private void WriteUtf16(string value)
    {
        long bytes = (long)value.Length * sizeof(char);
        Span<byte> content = Claim(StringPrefixSize + bytes);
        Blit.AsBytes(value.AsSpan()).CopyTo(content[StringPrefixSize..]);
        EndString(_written, (uint)value.Length | MessageFormat.Utf16Flag, (int)bytes);
    }

    private void EndString(int start, uint utf16Length, int bytes)
    {
        ulong prefix = (uint)(bytes + MessageFormat.StringPrefixSize) | ((ulong)utf16Length << 32);
        Blit.TryWrite(_room, start, prefix);
        _written = start + StringPrefixSize + bytes;
    }
}
