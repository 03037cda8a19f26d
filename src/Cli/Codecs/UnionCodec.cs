namespace BlitQueue.Cli.Codecs;

/// <summary>A union: the message of a case, and <c>$case</c>, its tag.</summary>
internal sealed class UnionCodec(StoredType type, Func<Kind, Codec> codecOf) : BodyCodec
{
    private readonly Lazy<Dictionary<int, Codec>> _cases = new(() => type.Members.ToDictionary(
        one => one.Number, one => codecOf(one.Kind)));

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        if (!TryBegin(ref input, out int start, out int length, out int count))
        {
            json.Null();
            return;
        }
        if (length != 2 || count != 1)
        {
            throw input.Fault($"a union has a tag of 2 bytes and one variable, not {length} bytes and {count}");
        }
        int tag = BinaryPrimitives.ReadUInt16LittleEndian(input.Data[start..]);
        if (!_cases.Value.TryGetValue(tag, out Codec? codec))
        {
            throw input.Fault($"the union has no case {tag}");
        }
        DecodeCase(ref input, json, tag, codec);
        input.Depth--;
    }

    // Puts the tag in front of the members.
    private static void DecodeCase(ref PackedInput input, JsonOutput json, int tag, Codec codec)
    {
        var message = new JsonOutput();
        codec.Decode(ref input, message);
        if (message.Bytes.SequenceEqual("null"u8))
        {
            json.Null();
            return;
        }
        json.BeginObject();
        json.Name("$case");
        json.Number(tag);
        if (message.Bytes[0] != '{')
        {
            json.Name("$value");
            json.Raw(message.Bytes);
        }
        else if (message.Length > 2)
        {
            json.Raw(message.Bytes[1..^1]);
        }
        json.EndObject();
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        Begin(ref json, output, "an object with $case");
        json.Next();
        if (json.Token != JsonTokenType.PropertyName || json.Text() != "$case")
        {
            throw json.Fault("the first member of a union is '$case', its tag");
        }
        json.Next();
        int tag = json.Integer<ushort>();
        if (!_cases.Value.TryGetValue(tag, out Codec? codec))
        {
            throw json.Fault($"the union has no case {tag}");
        }
        output.U16(2);
        output.U16(1);
        output.U16(tag);
        EncodeCase(ref json, codec, output);
        output.Depth--;
    }

    // The rest of the object is the case's message.
    private static void EncodeCase(ref JsonInput json, Codec codec, PackedOutput output)
    {
        byte[] message = json.RestOfObject();
        var part = new JsonInput(message);
        if (message.AsSpan().StartsWith("{\"$value\":"u8))
        {
            part.Next();
            part.Next();
        }
        codec.Encode(ref part, output);
    }
}
