namespace BlitQueue.Cli.Codecs;

/// <summary>A message inside of another one: a variable.</summary>
internal sealed class NestedCodec(Func<Codec> body) : ContentCodec
{
    protected override void DecodeContent(ref PackedInput input, JsonOutput json) => body().Decode(ref input, json);

    protected override void EncodeContent(ref JsonInput json, PackedOutput output) => body().Encode(ref json, output);
}
