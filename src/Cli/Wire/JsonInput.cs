using System.Numerics;

namespace BlitQueue.Cli.Wire;

/// <summary>
/// Reads JSON. A method that reads a value finds the reader at its first token, and leaves it at its last. Unlike the framework's methods
/// these give half of a surrogate pair as it is.
/// </summary>
internal ref struct JsonInput
{
    private const int Deepest = 4096;

    private readonly ReadOnlySpan<byte> _json;
    private Utf8JsonReader _reader;

    /// <summary>Begins at the first token.</summary>
    /// <exception cref="JsonFaultException">There is none.</exception>
    public JsonInput(ReadOnlySpan<byte> json)
    {
        _json = json;
        _reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = Deepest });
        Next();
    }

    /// <summary>Begins at the first token of a text that has one value, and nothing behind it.</summary>
    /// <exception cref="JsonFaultException">It has not.</exception>
    public static JsonInput Whole(ReadOnlySpan<byte> json)
    {
        var whole = new JsonInput(json);
        whole.Skip();
        whole.End();
        return new JsonInput(json);
    }

    public readonly JsonTokenType Token => _reader.TokenType;

    public readonly bool IsNull => Token == JsonTokenType.Null;

    public readonly JsonFaultException Fault(string what) => new(what);

    /// <summary>Goes to the next token.</summary>
    public void Next()
    {
        try
        {
            if (!_reader.Read())
            {
                throw Fault("the JSON ends too early");
            }
        }
        catch (JsonException exception)
        {
            throw Fault($"it is no JSON: {exception.Message}");
        }
    }

    /// <summary>Goes from the beginning of an object, or from a member's value, to the value of the next member.</summary>
    /// <returns>false at the object's end.</returns>
    public bool TryNextMember(out string name)
    {
        Next();
        bool isMember = Token != JsonTokenType.EndObject;
        name = isMember ? Text() : "";
        if (isMember)
        {
            Next();
        }
        return isMember;
    }

    /// <summary>Requires that nothing is behind the value.</summary>
    public void End()
    {
        try
        {
            if (_reader.Read())
            {
                throw Fault("something is behind the value");
            }
        }
        catch (JsonException exception)
        {
            throw Fault($"it is no JSON: {exception.Message}");
        }
    }

    /// <summary>Goes to the end of a value, and gives where it is.</summary>
    public Range Skip()
    {
        int start = (int)_reader.TokenStartIndex;
        try
        {
            _reader.Skip();
        }
        catch (JsonException exception)
        {
            throw Fault($"it is no JSON: {exception.Message}");
        }
        return start..(int)_reader.BytesConsumed;
    }

    /// <summary>A value at a range that <see cref="Skip"/> returned.</summary>
    public readonly JsonInput Part(Range range) => new(_json[range]);

    /// <summary>The members behind the one whose value is here, as an object of their own; afterwards it is at the object's end.</summary>
    public byte[] RestOfObject()
    {
        int start = (int)_reader.BytesConsumed;
        Next();
        bool isLast = Token == JsonTokenType.EndObject;
        int first = (int)_reader.TokenStartIndex;
        while (Token != JsonTokenType.EndObject)
        {
            Next();
            Skip();
            Next();
        }
        return isLast ? "{}"u8.ToArray() : [(byte)'{', .. _json[Math.Max(start, first)..(int)_reader.BytesConsumed]];
    }

    public readonly void Require(JsonTokenType token, string what)
    {
        if (Token != token)
        {
            throw Fault($"{what} is expected, and here is {Describe(Token)}");
        }
    }

    private static string Describe(JsonTokenType token) => token switch
    {
        JsonTokenType.StartObject => "an object",
        JsonTokenType.StartArray => "an array",
        JsonTokenType.String => "a text",
        JsonTokenType.Number => "a number",
        JsonTokenType.True or JsonTokenType.False => "true or false",
        JsonTokenType.Null => "null",
        _ => "the end",
    };

    public readonly bool Bool() => Token switch
    {
        JsonTokenType.True => true,
        JsonTokenType.False => false,
        _ => throw Fault($"true or false is expected, and here is {Describe(Token)}"),
    };

    public readonly T Integer<T>()
        where T : INumberBase<T>
    {
        Require(JsonTokenType.Number, "a whole number");
        return T.TryParse(_reader.ValueSpan, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out T? value)
            ? value
            : throw Fault($"{Encoding.UTF8.GetString(_reader.ValueSpan)} is no {typeof(T).Name}");
    }

    public readonly double Double() => Token == JsonTokenType.String
        ? Text() switch
        {
            "nan" => double.NaN,
            "inf" => double.PositiveInfinity,
            "-inf" => double.NegativeInfinity,
            var other => throw Fault($"'{other}' is no number"),
        }
        : Token == JsonTokenType.Number
            ? double.Parse(_reader.ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture)
            : throw Fault($"a number is expected, and here is {Describe(Token)}");

    /// <summary>A number as it is written.</summary>
    public readonly string Raw() => Encoding.UTF8.GetString(_reader.ValueSpan);

    public readonly byte[] Base64()
    {
        Require(JsonTokenType.String, "Base64");
        return _reader.TryGetBytesFromBase64(out byte[]? bytes) ? bytes : throw Fault("the text is no Base64");
    }

    /// <summary>A text, or a member's name.</summary>
    public readonly string Text()
    {
        if (Token != JsonTokenType.PropertyName)
        {
            Require(JsonTokenType.String, "a text");
        }
        return _reader.ValueIsEscaped ? Unescape(_reader.ValueSpan) : Encoding.UTF8.GetString(_reader.ValueSpan);
    }

    // The reader has seen that each escape is one.
    private static string Unescape(ReadOnlySpan<byte> text)
    {
        var result = new StringBuilder(text.Length);
        while (!text.IsEmpty)
        {
            int end = text.IndexOf((byte)'\\');
            if (end != 0)
            {
                end = end < 0 ? text.Length : end;
                result.Append(Encoding.UTF8.GetString(text[..end]));
                text = text[end..];
                continue;
            }
            bool isUnit = text[1] == 'u';
            result.Append(isUnit ? (char)ushort.Parse(text[2..6], NumberStyles.HexNumber, CultureInfo.InvariantCulture) : Meaning(text[1]));
            text = text[(isUnit ? 6 : 2)..];
        }
        return result.ToString();
    }

    private static char Meaning(byte letter) => (char)letter switch
    {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\b',
        'f' => '\f',
        char itself => itself,
    };
}
