namespace BlitQueue.Cli.Codecs;

/// <summary>A raw message: all that is left of the variable, or of the record.</summary>
internal sealed class RawCodec : Codec
{
    public override void Decode(ref PackedInput input, JsonOutput json) => json.Base64(input.TakeRest());

    public override void Encode(ref JsonInput json, PackedOutput output) => output.Write(json.Base64());
}
