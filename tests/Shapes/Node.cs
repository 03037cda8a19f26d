namespace BlitQueue.Shapes;

/// <summary>Objects that keep their identity.</summary>
[QueueMessage(Layout = PackLayout.CircularReference)]
public partial class Node
{
    public int Id { get; set; }
    public string? Name { get; set; }
    public Node? Parent { get; set; }
    public List<Node?>? Children { get; set; }
    public Owner? Owner { get; set; }
    public Dictionary<string, Node?>? ByName { get; set; }
    public Leaf? Simple { get; set; }
}
