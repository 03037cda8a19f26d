namespace BlitQueue.Cli.Codecs;

/// <summary>A version of two to four numbers.</summary>
internal sealed class VersionCodec : Codec
{
    private const int Size = 16;

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        int length = input.Length();
        if (length < 0)
        {
            json.Null();
            return;
        }
        if (length != Size)
        {
            throw input.Fault($"a version cannot have {length} bytes");
        }
        int major = (int)input.U32(), minor = (int)input.U32(), build = (int)input.U32(), revision = (int)input.U32();
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || (build < 0 && revision >= 0))
        {
            throw input.Fault("the bytes are no version");
        }
        json.Text(string.Join('.', new[] { major, minor, build, revision }.Where(static part => part >= 0)));
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull)
        {
            output.WriteNull();
            return;
        }
        string[] parts = json.Text().Split('.');
        if (parts.Length is < 2 or > 4)
        {
            throw json.Fault($"'{json.Text()}' is no version");
        }
        output.U32(Size);
        for (int part = 0; part < 4; part++)
        {
            int number = -1;
            if (part < parts.Length && !int.TryParse(parts[part], NumberStyles.None, CultureInfo.InvariantCulture, out number))
            {
                throw json.Fault($"'{json.Text()}' is no version");
            }
            BinaryPrimitives.WriteInt32LittleEndian(output.Add(4), number);
        }
    }
}
