namespace BlitQueue.Generator.Tests.Golden;

/// <summary>A message with one member, and its bytes for ever.</summary>
/// <param name="Type">The member's type.</param>
/// <param name="Value">Its value, in C#.</param>
/// <param name="Content">What stands in the fixed block, or in the member's variable, in hexadecimal; spaces are left out. "null" for the
/// null mark.</param>
/// <param name="IsFixed">Whether it stands in the fixed block.</param>
/// <param name="Attribute">What stands in front of the member.</param>
/// <param name="Options">What the message is marked with.</param>
/// <param name="IsOneOfMany">Whether other bytes mean the same, so that these are to be read and need not be written.</param>
internal sealed record GoldenRow(
    string Type, string Value, string Content, bool IsFixed = false, string Attribute = "", string Options = "", bool IsOneOfMany = false)
{
    /// <summary>The whole message by docs/FORMAT.md: lengths are worked out here, not taken from what is tested.</summary>
    public string Message()
    {
        string content = Content.Replace(" ", "", StringComparison.Ordinal);
        return IsFixed ? Short(content.Length / 2) + "0000" + content
            : "00000100" + (content == "null" ? "FFFFFFFF" : Hex(content));
    }

    public string Source(string name)
        => $"[QueueMessage{(Options.Length > 0 ? $"({Options})" : "")}] public partial class {name} {{ {Attribute}public {Type} Value {{ "
            + $"get; set; }} = {Value}; }}";

    /// <summary>A variable: its length in front.</summary>
    public static string Hex(string content) => Convert.ToHexString(BitConverter.GetBytes(content.Length / 2)) + content;

    private static string Short(int number) => Convert.ToHexString(BitConverter.GetBytes((ushort)number));
}
