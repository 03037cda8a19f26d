using BlitQueue.Cli.Codecs;

namespace BlitQueue.Cli.Lines;

/// <summary>
/// Messages with their properties as JSON, a line each. What JSON cannot express exactly is written as bytes, too: importing an exported
/// line gives the same bytes.
/// </summary>
internal sealed class MessageLines
{
    private readonly MessageCodec _codec;
    private readonly PackedOutput _packed = new();
    private readonly JsonOutput _part = new();
    private readonly bool _isExact;

    /// <param name="schema">The messages' type.</param>
    /// <param name="isExact">Whether a line also gets the bytes if they do not follow from the JSON.</param>
    /// <param name="root">The number of the message in the schema.</param>
    public MessageLines(StoredSchema schema, bool isExact, int root = 0)
    {
        _codec = new MessageCodec(schema, root);
        _isExact = isExact;
    }

    /// <summary>Writes the members of an object: position, message, properties.</summary>
    /// <returns>null; or what is wrong with the message, which is then written only as bytes.</returns>
    public string? Write(StoredMessage message, JsonOutput json)
    {
        json.BeginObject();
        json.Member("position", message.Position);
        string? fault = WriteMessage(message.Packed, json);
        fault = WriteProperties(message.Properties, json) ?? fault;
        json.EndObject();
        return fault;
    }

    /// <summary>The same for people: position, message and properties, with blanks between them.</summary>
    public string? WriteForPeople(StoredMessage message, JsonOutput json)
    {
        json.Bare(Encoding.ASCII.GetBytes(message.Position.ToString(CultureInfo.InvariantCulture)));
        string? fault = null;
        try
        {
            _part.Clear();
            _codec.Decode(message.Packed, _part);
            WriteBehindBlanks(json);
            if (!message.Properties.IsEmpty)
            {
                _part.Clear();
                PropertyLines.Write(message.Properties, _part);
                WriteBehindBlanks(json);
            }
        }
        catch (PackedFaultException wrong)
        {
            fault = wrong.Message;
            json.Bare(Encoding.UTF8.GetBytes($"  not readable: {fault}"));
        }
        return fault;
    }

    private void WriteBehindBlanks(JsonOutput json)
    {
        json.Bare("  "u8);
        json.Bare(_part.Bytes);
    }

    /// <summary>Writes the member <c>message</c>, and what else is needed to say what it is.</summary>
    /// <returns>null; or what is wrong with it.</returns>
    public string? WriteMessage(ReadOnlySpan<byte> packed, JsonOutput json)
    {
        json.Name("message");
        int start = json.Length;
        try
        {
            _codec.Decode(packed, json);
        }
        catch (PackedFaultException fault)
        {
            json.Back(start, isBehindValue: false);
            json.Null();
            json.Member("fault", fault.Message);
            json.Name("packed");
            json.Base64(packed);
            return fault.Message;
        }
        if (_isExact && !IsSame(json.Bytes[start..], packed))
        {
            json.Name("packed");
            json.Base64(packed);
        }
        return null;
    }

    private bool IsSame(ReadOnlySpan<byte> text, ReadOnlySpan<byte> packed)
    {
        try
        {
            var json = new JsonInput(text);
            _codec.Encode(ref json, _packed);
            return _packed.Bytes.SequenceEqual(packed);
        }
        catch (JsonFaultException)
        {
            return false;
        }
    }

    private string? WriteProperties(ReadOnlySpan<byte> block, JsonOutput json)
    {
        if (block.IsEmpty)
        {
            return null;
        }
        json.Name("properties");
        int start = json.Length;
        string? fault = null;
        try
        {
            PropertyLines.Write(block, json);
        }
        catch (PackedFaultException wrong)
        {
            json.Back(start, isBehindValue: false);
            json.Null();
            fault = wrong.Message;
        }
        if (fault is not null || (_isExact && !IsSameBlock(json.Bytes[start..], block)))
        {
            json.Name("properties_packed");
            json.Base64(block);
        }
        return fault;
    }

    private static bool IsSameBlock(ReadOnlySpan<byte> text, ReadOnlySpan<byte> block)
    {
        try
        {
            var json = new JsonInput(text);
            return PropertyLines.Read(ref json).AsSpan().SequenceEqual(block);
        }
        catch (JsonFaultException)
        {
            return false;
        }
    }

    /// <summary>Reads a line.</summary>
    /// <param name="line">
    /// An object with <c>message</c> or <c>packed</c>, of which the second counts if both are there; with <c>properties</c> or without.
    /// </param>
    /// <param name="message">The packed message, until the next call.</param>
    /// <param name="properties">The block of its properties; empty if it has none.</param>
    /// <param name="isSameType">Whether the line is from a queue of the same type, so that bytes in it are of that type.</param>
    /// <exception cref="JsonFaultException">It is no such line.</exception>
    public void Read(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> message, out byte[] properties, bool isSameType = true)
    {
        var json = new JsonInput(line);
        byte[]? packed = null, block = null;
        Range text = default, given = default;
        json.Require(JsonTokenType.StartObject, "an object with a message");
        while (json.TryNextMember(out string name))
        {
            switch (name)
            {
                case "message":
                    text = json.Skip();
                    break;
                case "properties" when !json.IsNull:
                    given = json.Skip();
                    break;
                case "packed" when !isSameType:
                    throw json.Fault("the message is there as bytes of another type than the queue has: remove 'packed' to take its JSON");
                case "packed":
                    packed = json.Base64();
                    break;
                case "properties_packed":
                    block = json.Base64();
                    break;
                case "position" or "fault" or "properties":
                    json.Skip();
                    break;
                default:
                    throw json.Fault($"a line has no member '{name}'");
            }
        }
        json.End();
        message = packed ?? (text.Equals(default) ? throw json.Fault("the line has no message") : Encode(json.Part(text)));
        properties = block ?? (given.Equals(default) ? [] : Properties(json.Part(given)));
    }

    /// <summary>Packs a message that is here as JSON.</summary>
    /// <returns>Its bytes, until the next call.</returns>
    public ReadOnlySpan<byte> Encode(JsonInput json)
    {
        _codec.Encode(ref json, _packed);
        return _packed.Bytes;
    }

    private static byte[] Properties(JsonInput json) => PropertyLines.Read(ref json);
}
