namespace BlitQueue.Cli.Codecs;

/// <summary>An array, list or other collection.</summary>
internal sealed class ListCodec(Codec element) : ContentCodec
{
    protected override void DecodeContent(ref PackedInput input, JsonOutput json)
    {
        int count = element.FixedSize == 0 ? input.Count() : input.Left / element.FixedSize;
        if (element.FixedSize > 0 && input.Left % element.FixedSize != 0)
        {
            throw input.Fault($"{input.Left} bytes are no whole number of elements of {element.FixedSize} bytes");
        }
        json.BeginArray();
        for (int i = 0; i < count; i++)
        {
            element.Decode(ref input, json);
        }
        json.EndArray();
    }

    protected override void EncodeContent(ref JsonInput json, PackedOutput output)
    {
        int start = output.Length;
        output.Add(element.FixedSize == 0 ? sizeof(uint) : 0);
        uint count = EncodeElements(ref json, element, output);
        if (element.FixedSize == 0)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(output.Written(start, sizeof(uint)), count);
        }
    }

    /// <summary>Packs the elements of an array, one behind the other.</summary>
    /// <returns>How many there are.</returns>
    public static uint EncodeElements(ref JsonInput json, Codec element, PackedOutput output)
    {
        json.Require(JsonTokenType.StartArray, "an array");
        uint count = 0;
        for (json.Next(); json.Token != JsonTokenType.EndArray; json.Next())
        {
            element.Encode(ref json, output);
            count++;
        }
        return count;
    }
}
