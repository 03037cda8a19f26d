namespace BlitQueue.Cli.Codecs;

/// <summary>A version-tolerant message: each member is a variable with a number.</summary>
internal sealed class TolerantCodec(StoredType type, Func<Kind, Codec> fieldOf) : BodyCodec
{
    private readonly Lazy<Dictionary<int, (StoredMember Member, Codec Codec, int Index)>> _fields = new(() => type.Members
        .Select((member, index) => (Member: member, Codec: fieldOf(member.Kind), Index: index)).ToDictionary(field => field.Member.Number));

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        if (!TryBegin(ref input, out _, out int length, out int count))
        {
            json.Null();
            return;
        }
        if (length > 0)
        {
            throw input.Fault($"a version-tolerant message has no fixed block; here is one of {length} bytes");
        }
        json.BeginObject();
        for (int number = 0; number < count; number++)
        {
            if (input.TryTakeHole())
            {
                continue;
            }
            if (_fields.Value.TryGetValue(number, out (StoredMember Member, Codec Codec, int Index) field))
            {
                json.Name(field.Member.Name);
                field.Codec.Decode(ref input, json);
            }
            else
            {
                input.Take(Math.Max(input.Length(), 0));
            }
        }
        json.EndObject();
        input.Depth--;
    }

    // A missing member is a hole, or stands behind the last one.
    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        Begin(ref json, output);
        Range[] found = Find(ref json, type.Members);
        int start = output.Length;
        output.U16(0);
        output.U16(0);
        int count = type.Members.Where((_, index) => IsThere(found[index])).Select(member => member.Number + 1).DefaultIfEmpty(0).Max();
        for (int number = 0; number < count; number++)
        {
            if (_fields.Value.TryGetValue(number, out (StoredMember Member, Codec Codec, int Index) field) && IsThere(found[field.Index]))
            {
                EncodePart(json, found[field.Index], field.Member, field.Codec, output);
            }
            else
            {
                output.WriteHole();
            }
        }
        BinaryPrimitives.WriteUInt16LittleEndian(output.Written(start + 2, 2), (ushort)count);
        output.Depth--;
    }
}
