namespace BlitQueue.Cli.Codecs;

/// <summary>An array of several dimensions: its lengths, and its elements, the last index running fastest.</summary>
internal sealed class GridCodec(int rank, Codec element, bool isBytes) : ContentCodec
{
    private const long MostElements = 0x7FFF_FFC7;
    private const int SmallestVariable = 4;

    protected override void DecodeContent(ref PackedInput input, JsonOutput json)
    {
        long product = 1, count = 1;
        json.BeginObject();
        json.Name("lengths");
        json.BeginArray();
        for (int dimension = 0; dimension < rank; dimension++)
        {
            uint length = input.U32();
            product *= Math.Max(1, length);
            count *= length;
            if (product > MostElements)
            {
                throw input.Fault($"an array cannot have {product} elements");
            }
            json.Number(length);
        }
        json.EndArray();
        int smallest = element.FixedSize > 0 ? element.FixedSize : SmallestVariable;
        if (count * smallest > input.Left)
        {
            throw input.Fault($"{count} elements cannot be in the {input.Left} bytes left");
        }
        json.Name("items");
        DecodeItems(ref input, json, (int)count);
        json.EndObject();
    }

    private void DecodeItems(ref PackedInput input, JsonOutput json, int count)
    {
        if (isBytes)
        {
            json.Base64(input.Take(count));
            return;
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
        json.Require(JsonTokenType.StartObject, "an object with lengths and items");
        Enter(ref json, "lengths");
        json.Require(JsonTokenType.StartArray, "an array of lengths");
        long count = 1;
        for (int dimension = 0; dimension < rank; dimension++)
        {
            json.Next();
            uint length = json.Integer<uint>();
            output.U32(length);
            count *= length;
            if (count > MostElements)
            {
                throw json.Fault("an array cannot have so many elements");
            }
        }
        json.Next();
        json.Require(JsonTokenType.EndArray, $"the end of {rank} lengths");
        Enter(ref json, "items");
        if (EncodeItems(ref json, output) != count)
        {
            throw json.Fault($"the lengths say that there are {count} items");
        }
        json.Next();
        json.Require(JsonTokenType.EndObject, "the end of the object");
    }

    private long EncodeItems(ref JsonInput json, PackedOutput output)
    {
        if (!isBytes)
        {
            return ListCodec.EncodeElements(ref json, element, output);
        }
        byte[] bytes = json.Base64();
        output.Write(bytes);
        return bytes.Length;
    }

    private static void Enter(ref JsonInput json, string name)
    {
        json.Next();
        if (json.Token != JsonTokenType.PropertyName || json.Text() != name)
        {
            throw json.Fault($"'{name}' is expected");
        }
        json.Next();
    }
}
