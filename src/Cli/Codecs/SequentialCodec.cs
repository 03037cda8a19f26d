namespace BlitQueue.Cli.Codecs;

/// <summary>A message whose members are packed one after the other; with identity, if its form says so.</summary>
internal sealed class SequentialCodec(int number, StoredType type, Func<Kind, Codec> codecOf) : BodyCodec
{
    private const int NumberSize = 4;

    private readonly bool _hasIdentity = type.Form == "circular";
    private readonly Lazy<Codec[]> _codecs = new(() => [.. type.Members.Select(member => codecOf(member.Kind))]);

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        if (!TryBegin(ref input, out int start, out int length, out int count))
        {
            json.Null();
            return;
        }
        if (_hasIdentity && count == MostPart)
        {
            DecodeRepeated(ref input, json, start, length);
            return;
        }
        json.BeginObject();
        if (_hasIdentity)
        {
            json.Name("$id");
            json.Number(input.AddObject(number));
        }
        DecodeMembers(ref input, json, start, start + length, count);
        json.EndObject();
        input.Depth--;
    }

    private void DecodeRepeated(ref PackedInput input, JsonOutput json, int start, int length)
    {
        uint repeated = length == NumberSize
            ? BinaryPrimitives.ReadUInt32LittleEndian(input.Data[start..])
            : throw input.Fault("a repeated object has a number of 4 bytes");
        if (!input.HasObject(repeated, number))
        {
            throw input.Fault($"{repeated} is not the number of such an object in front of this");
        }
        json.BeginObject();
        json.Name("$ref");
        json.Number(repeated);
        json.EndObject();
        input.Depth--;
    }

    private void DecodeMembers(ref PackedInput input, JsonOutput json, int start, int end, int count)
    {
        Codec[] codecs = _codecs.Value;
        int read = 0;
        for (int index = 0; index < codecs.Length; index++)
        {
            int size = codecs[index].FixedSize;
            if (size == 0)
            {
                if (read < count)
                {
                    read++;
                    json.Name(type.Members[index].Name);
                    codecs[index].Decode(ref input, json);
                }
            }
            else if (start < end)
            {
                json.Name(type.Members[index].Name);
                DecodeFixed(ref input, json, codecs[index], start, end);
                start += size;
            }
        }
        for (; read < count; read++)
        {
            input.Take(Math.Max(input.Length(), 0));
        }
    }

    private static void DecodeFixed(ref PackedInput input, JsonOutput json, Codec codec, int start, int end)
    {
        if (codec.FixedSize > end - start)
        {
            throw input.Fault($"the fixed block ends inside a member of {codec.FixedSize} bytes");
        }
        int variables = input.At;
        input.At = start;
        codec.Decode(ref input, json);
        input.At = variables;
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        Begin(ref json, output);
        int start = output.Length;
        long? name = null, repeated = null;
        Range[] found = Find(ref json, type.Members, (string mark, ref JsonInput value) =>
        {
            bool isKnown = _hasIdentity && mark is "$id" or "$ref";
            name = mark == "$id" && isKnown ? value.Integer<long>() : name;
            repeated = mark == "$ref" && isKnown ? value.Integer<long>() : repeated;
            return isKnown;
        });
        if (repeated is { } other)
        {
            EncodeRepeated(json, output, other);
        }
        else
        {
            if (_hasIdentity)
            {
                output.AddObject(name);
            }
            EncodeMembers(json, output, found, start);
        }
        output.Depth--;
    }

    private static void EncodeRepeated(in JsonInput json, PackedOutput output, long name)
    {
        if (!output.TryFindObject(name, out uint repeated))
        {
            throw json.Fault($"no object in front of this has the $id {name}");
        }
        output.U16(NumberSize);
        output.U16(MostPart);
        output.U32(repeated);
    }

    // Missing members at the end are left out, as an older version of the type would do; other missing members get their default.
    private void EncodeMembers(in JsonInput json, PackedOutput output, Range[] found, int start)
    {
        output.U16(0);
        output.U16(0);
        int count = 0;
        for (int variables = 0; variables < 2; variables++)
        {
            int last = LastOf(found, isFixed: variables == 0);
            for (int index = 0; index <= last; index++)
            {
                Codec codec = _codecs.Value[index];
                if (codec.FixedSize == 0 == (variables == 1))
                {
                    EncodeMember(json, output, found[index], index, codec);
                    count += variables;
                }
            }
            if (variables == 0)
            {
                BinaryPrimitives.WriteUInt16LittleEndian(output.Written(start, 2), (ushort)Math.Min(output.Length - start - 4, MostPart));
            }
        }
        BinaryPrimitives.WriteUInt16LittleEndian(output.Written(start + 2, 2), (ushort)Math.Min(count, MostPart));
    }

    private void EncodeMember(in JsonInput json, PackedOutput output, Range found, int index, Codec codec)
    {
        StoredMember member = type.Members[index];
        if (IsThere(found))
        {
            EncodePart(json, found, member, codec, output);
        }
        else if (codec.FixedSize > 0)
        {
            output.Add(codec.FixedSize);
        }
        else if (member.Kind.IsNullable || member.Kind.Name == "string")
        {
            output.WriteNull();
        }
        else
        {
            throw json.Fault($"the member '{member.Name}' is missing, and others behind it are there: give it, if only as null");
        }
    }

    private int LastOf(Range[] found, bool isFixed)
    {
        int last = found.Length - 1;
        while (last >= 0 && !(IsThere(found[last]) && _codecs.Value[last].FixedSize > 0 == isFixed))
        {
            last--;
        }
        return last;
    }
}
