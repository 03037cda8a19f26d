namespace BlitQueue.Cli.Codecs;

/// <summary>A dictionary: an object if all keys are texts, else an array of pairs.</summary>
internal sealed class MapCodec(Codec key, Codec value, bool hasNames) : ContentCodec
{
    protected override void DecodeContent(ref PackedInput input, JsonOutput json)
    {
        int count = input.Count();
        if (hasNames || count == 0)
        {
            json.BeginObject();
            for (int i = 0; i < count; i++)
            {
                DecodeKey(ref input, json);
                json.EndName();
                value.Decode(ref input, json);
            }
            json.EndObject();
            return;
        }
        json.BeginArray();
        for (int i = 0; i < count; i++)
        {
            json.BeginArray();
            DecodeKey(ref input, json);
            value.Decode(ref input, json);
            json.EndArray();
        }
        json.EndArray();
    }

    private void DecodeKey(ref PackedInput input, JsonOutput json)
    {
        int before = json.Length;
        key.Decode(ref input, json);
        if (json.Bytes[before..].EndsWith("null"u8) && !json.Bytes[before..].Contains((byte)'"'))
        {
            throw input.Fault("null cannot be a key");
        }
    }

    protected override void EncodeContent(ref JsonInput json, PackedOutput output)
    {
        int start = output.Length;
        output.Add(sizeof(uint));
        uint count = json.Token == JsonTokenType.StartObject ? EncodeObject(ref json, output) : EncodePairs(ref json, output);
        BinaryPrimitives.WriteUInt32LittleEndian(output.Written(start, sizeof(uint)), count);
    }

    private uint EncodeObject(ref JsonInput json, PackedOutput output)
    {
        uint count = 0;
        for (json.Next(); json.Token != JsonTokenType.EndObject; json.Next())
        {
            if (!hasNames)
            {
                throw json.Fault("an array of pairs is expected: the keys are no texts");
            }
            key.Encode(ref json, output);
            json.Next();
            value.Encode(ref json, output);
            count++;
        }
        return count;
    }

    private uint EncodePairs(ref JsonInput json, PackedOutput output)
    {
        json.Require(JsonTokenType.StartArray, "an object or an array of pairs");
        uint count = 0;
        for (json.Next(); json.Token != JsonTokenType.EndArray; json.Next())
        {
            json.Require(JsonTokenType.StartArray, "a pair of a key and a value");
            json.Next();
            if (json.IsNull)
            {
                throw json.Fault("null cannot be a key");
            }
            key.Encode(ref json, output);
            json.Next();
            value.Encode(ref json, output);
            json.Next();
            json.Require(JsonTokenType.EndArray, "the end of a pair");
            count++;
        }
        return count;
    }
}
