namespace BlitQueue.Cli.Codecs;

/// <summary>A variable that is bytes: a list of bytes, what a packer of one's own has written, a kind that is not known here.</summary>
internal sealed class OpaqueCodec : Codec
{
    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        int length = input.Length();
        if (length < 0)
        {
            json.Null();
        }
        else
        {
            json.Base64(input.Take(length));
        }
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
        }
        else
        {
            output.Variable(json.Base64());
        }
    }
}
