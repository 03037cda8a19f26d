namespace BlitQueue.Cli.Codecs;

/// <summary>A value of fixed size that may be null: a byte in front says so.</summary>
internal sealed class NullableCodec(Codec value) : Codec
{
    public override int FixedSize => 1 + value.FixedSize;

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        input.Need(FixedSize);
        byte presence = input.Take(1)[0];
        switch (presence)
        {
            case 0:
                input.Take(value.FixedSize);
                json.Null();
                break;
            case 1:
                value.Decode(ref input, json);
                break;
            default:
                throw input.Fault($"0x{presence:X} is no bool");
        }
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        output.Add(1)[0] = (byte)(json.IsNull ? 0 : 1);
        if (json.IsNull)
        {
            output.Add(value.FixedSize);
        }
        else
        {
            value.Encode(ref json, output);
        }
    }
}
