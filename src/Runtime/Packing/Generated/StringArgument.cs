namespace BlitQueue.Generated;

/// <summary>string as a type argument.</summary>
internal sealed class StringArgument(StringEncoding strings) : ArgumentPacker<string>
{
    public override KindSchema Schema { get; } = new("string");

    public override void Pack(ref PackWriter writer, string? value) => writer.WriteString(value, strings);

    public override string? Unpack(ref PackReader reader, string? given) => reader.ReadString(given);

    public override string? UnpackFresh(ref PackReader reader, string? given) => reader.ReadString(given);
}
