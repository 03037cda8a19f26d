namespace BlitQueue.Cli.Codecs;

/// <summary>A value of fixed size as a member of a version-tolerant message: a variable of exactly its size.</summary>
internal sealed class FieldCodec(Codec value, bool isNullable) : Codec
{
    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        int length = input.Length();
        if (length < 0 && isNullable)
        {
            json.Null();
            return;
        }
        if (length != value.FixedSize)
        {
            throw input.Fault($"{length} bytes cannot be a value of {value.FixedSize} bytes");
        }
        value.Decode(ref input, json);
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull && isNullable)
        {
            output.WriteNull();
            return;
        }
        output.U32((uint)value.FixedSize);
        value.Encode(ref json, output);
    }
}
