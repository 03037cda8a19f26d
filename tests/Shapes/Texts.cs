namespace BlitQueue.Shapes;

/// <summary>Strings as UTF-8.</summary>
[QueueMessage]
public partial class Texts
{
    public string? One { get; set; }
    public string Two { get; set; } = "";
    public string?[]? Array { get; set; }
    public List<string>? List { get; set; }
    public List<string?[]?>? Deep { get; set; }
}
