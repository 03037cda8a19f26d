namespace BlitQueue.Cli.Codecs;

/// <summary>Reads a value from its bytes and writes it as JSON; the input is for the fault only.</summary>
internal delegate void DecodeValue(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json);

/// <summary>Writes the bytes of a value that is here as JSON.</summary>
internal delegate void EncodeValue(ref JsonInput json, Span<byte> bytes);

/// <summary>A value of fixed size.</summary>
internal sealed class ValueCodec(int size, DecodeValue decode, EncodeValue encode) : Codec
{
    public override int FixedSize => size;

    public override void Decode(ref PackedInput input, JsonOutput json) => decode(input.Take(size), input, json);

    public override void Encode(ref JsonInput json, PackedOutput output) => encode(ref json, output.Add(size));
}
