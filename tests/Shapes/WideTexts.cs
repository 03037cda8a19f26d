namespace BlitQueue.Shapes;

/// <summary>Strings as UTF-16.</summary>
[QueueMessage(Strings = StringEncoding.Utf16)]
public partial class WideTexts
{
    public string? One { get; set; }
    public string?[]? Array { get; set; }
    public List<string>? List { get; set; }
    public HashSet<string>? Set { get; set; }
    public Dictionary<string, string?>? Map { get; set; }
    public System.Text.StringBuilder? Builder { get; set; }
}
