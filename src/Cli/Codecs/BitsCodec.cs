namespace BlitQueue.Cli.Codecs;

/// <summary>Bits: an array of true and false.</summary>
internal sealed class BitsCodec : ContentCodec
{
    protected override void DecodeContent(ref PackedInput input, JsonOutput json)
    {
        uint count = input.U32();
        if (count > int.MaxValue || (count + 7L) / 8 != input.Left)
        {
            throw input.Fault($"{count} bits cannot have {input.Left} bytes");
        }
        ReadOnlySpan<byte> bytes = input.TakeRest();
        json.BeginArray();
        for (int bit = 0; bit < count; bit++)
        {
            json.Bool((bytes[bit / 8] >> bit % 8 & 1) != 0);
        }
        json.EndArray();
    }

    protected override void EncodeContent(ref JsonInput json, PackedOutput output)
    {
        json.Require(JsonTokenType.StartArray, "an array of true and false");
        int start = output.Length, last = -1;
        output.Add(sizeof(uint));
        uint count = 0;
        for (json.Next(); json.Token != JsonTokenType.EndArray; json.Next(), count++)
        {
            if (count % 8 == 0)
            {
                last = output.Length;
                output.Add(1);
            }
            output.Written(last, 1)[0] |= (byte)(json.Bool() ? 1 << (int)(count % 8) : 0);
        }
        BinaryPrimitives.WriteUInt32LittleEndian(output.Written(start, sizeof(uint)), count);
    }
}
