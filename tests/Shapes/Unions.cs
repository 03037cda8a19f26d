namespace BlitQueue.Shapes;

/// <summary>Unions as members.</summary>
[QueueMessage]
public partial class Unions
{
    public Shape? Shape { get; set; }
    public ITagged? Tagged { get; set; }
    public List<Shape?>? Shapes { get; set; }
    public ITagged?[]? Tags { get; set; }
    public Dictionary<int, ITagged?>? Map { get; set; }
}
