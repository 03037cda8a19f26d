namespace BlitQueue.Cli.Codecs;

/// <summary>A variable that may be null and whose content must be read to its end.</summary>
internal abstract class ContentCodec : Codec
{
    public sealed override void Decode(ref PackedInput input, JsonOutput json)
    {
        int outer = input.Begin();
        if (outer < 0)
        {
            json.Null();
            return;
        }
        DecodeContent(ref input, json);
        input.Finish(outer);
    }

    public sealed override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        int begun = output.Begin();
        EncodeContent(ref json, output);
        output.End(begun);
    }

    protected abstract void DecodeContent(ref PackedInput input, JsonOutput json);

    protected abstract void EncodeContent(ref JsonInput json, PackedOutput output);
}
