namespace BlitQueue.Cli.Codecs;

/// <summary>A tuple.</summary>
internal sealed class TupleCodec(Codec[] parts) : ContentCodec
{
    protected override void DecodeContent(ref PackedInput input, JsonOutput json)
    {
        json.BeginArray();
        foreach (Codec part in parts)
        {
            part.Decode(ref input, json);
        }
        json.EndArray();
    }

    protected override void EncodeContent(ref JsonInput json, PackedOutput output)
    {
        json.Require(JsonTokenType.StartArray, $"an array of {parts.Length}");
        foreach (Codec part in parts)
        {
            json.Next();
            part.Encode(ref json, output);
        }
        json.Next();
        json.Require(JsonTokenType.EndArray, $"the end of an array of {parts.Length}");
    }
}
