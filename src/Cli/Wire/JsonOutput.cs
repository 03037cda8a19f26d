namespace BlitQueue.Cli.Wire;

/// <summary>Writes JSON as UTF-8, without blanks; unlike the framework's writer also half of a surrogate pair, as an escape.</summary>
internal sealed class JsonOutput
{
    // Characters below FirstPrinted that are not ASCII are control characters, which a terminal might obey.
    private const char FirstPrinted = '\u00a0', LineSeparator = '\u2028', ParagraphSeparator = '\u2029';

    private byte[] _bytes = new byte[1024];
    private int _length;

    // Whether a comma is needed in front of the next value or name.
    private bool _isBehindValue;

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>How much is written; <see cref="Back"/> goes back there.</summary>
    public int Length => _length;

    public void Clear() => (_length, _isBehindValue) = (0, false);

    /// <summary>Removes what was written since then.</summary>
    public void Back(int length, bool isBehindValue) => (_length, _isBehindValue) = (length, isBehindValue);

    public void BeginObject() => Begin((byte)'{');

    public void EndObject() => End((byte)'}');

    public void BeginArray() => Begin((byte)'[');

    public void EndArray() => End((byte)']');

    /// <summary>The name of the next member.</summary>
    public void Name(string name)
    {
        Text(name);
        EndName();
    }

    /// <summary>Makes the text that was just written the name of the next member.</summary>
    public void EndName()
    {
        Put((byte)':');
        _isBehindValue = false;
    }

    /// <summary>A member with a text; null becomes null.</summary>
    public void Member(string name, string? text)
    {
        Name(name);
        if (text is null)
        {
            Null();
        }
        else
        {
            Text(text);
        }
    }

    /// <summary>A member with a whole number; null becomes null.</summary>
    public void Member(string name, long? number)
    {
        Name(name);
        if (number is { } value)
        {
            Number(value);
        }
        else
        {
            Null();
        }
    }

    /// <summary>A member that is true or false.</summary>
    public void Member(string name, bool value)
    {
        Name(name);
        Bool(value);
    }

    /// <summary>A member with an array.</summary>
    /// <param name="name">The member's name.</param>
    /// <param name="items">What the array is made of, in order.</param>
    /// <param name="write">Writes one of them as one value.</param>
    public void Elements<T>(string name, IEnumerable<T> items, Action<T> write)
    {
        Name(name);
        BeginArray();
        foreach (T item in items)
        {
            write(item);
        }
        EndArray();
    }

    public void Null() => Raw("null"u8);

    public void Bool(bool value) => Raw(value ? "true"u8 : "false"u8);

    /// <summary>A value that is JSON already.</summary>
    public void Raw(ReadOnlySpan<byte> json)
    {
        Comma();
        json.CopyTo(Room(json.Length));
        _length += json.Length;
    }

    /// <summary>Bytes that are no part of a value.</summary>
    public void Bare(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        _length += bytes.Length;
    }

    public void Number<T>(T value)
        where T : IUtf8SpanFormattable
    {
        Comma();
        int written;
        while (!value.TryFormat(Room(64), out written, default, CultureInfo.InvariantCulture))
        {
            Room(2 * _bytes.Length);
        }
        _length += written;
    }

    /// <summary>A number; one that JSON cannot express is written as text.</summary>
    public void Double(double value)
    {
        if (double.IsFinite(value))
        {
            Number(value);
        }
        else
        {
            Text(double.IsNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
        }
    }

    public void Base64(ReadOnlySpan<byte> bytes)
    {
        Comma();
        Put((byte)'"');
        int most = System.Buffers.Text.Base64.GetMaxEncodedToUtf8Length(bytes.Length);
        System.Buffers.Text.Base64.EncodeToUtf8(bytes, Room(most), out _, out int written);
        _length += written;
        Put((byte)'"');
    }

    public void Text(ReadOnlySpan<char> text)
    {
        Comma();
        Put((byte)'"');
        for (int at = 0; at < text.Length; at++)
        {
            char unit = text[at];
            if (unit is >= ' ' and < (char)127 and not ('"' or '\\'))
            {
                Put((byte)unit);
            }
            else if (unit < FirstPrinted || unit is LineSeparator or ParagraphSeparator
                || Rune.DecodeFromUtf16(text[at..], out Rune rune, out int units) != System.Buffers.OperationStatus.Done)
            {
                Escape(unit);
            }
            else
            {
                _length += rune.EncodeToUtf8(Room(4));
                at += units - 1;
            }
        }
        Put((byte)'"');
    }

    private void Escape(char unit)
    {
        ReadOnlySpan<byte> simple = unit switch
        {
            '"' => "\\\""u8,
            '\\' => "\\\\"u8,
            '\n' => "\\n"u8,
            '\r' => "\\r"u8,
            '\t' => "\\t"u8,
            _ => default,
        };
        if (!simple.IsEmpty)
        {
            simple.CopyTo(Room(simple.Length));
            _length += simple.Length;
            return;
        }
        Span<byte> room = Room(6);
        "\\u"u8.CopyTo(room);
        ((ushort)unit).TryFormat(room[2..], out _, "x4", CultureInfo.InvariantCulture);
        _length += 6;
    }

    private void Begin(byte bracket)
    {
        Comma();
        Put(bracket);
        _isBehindValue = false;
    }

    private void End(byte bracket)
    {
        Put(bracket);
        _isBehindValue = true;
    }

    private void Comma()
    {
        if (_isBehindValue)
        {
            Put((byte)',');
        }
        _isBehindValue = true;
    }

    private void Put(byte one)
    {
        if (_length == _bytes.Length)
        {
            Array.Resize(ref _bytes, 2 * _bytes.Length);
        }
        _bytes[_length++] = one;
    }

    private Span<byte> Room(int bytes)
    {
        if (bytes > _bytes.Length - _length)
        {
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max((long)_length + bytes, 2L * _bytes.Length), Array.MaxLength));
        }
        return _bytes.AsSpan(_length);
    }

    public override string ToString() => Encoding.UTF8.GetString(Bytes);
}
