namespace BlitQueue.Shapes;

/// <summary>A class that is nested.</summary>
[QueueMessage]
public sealed partial class Leaf
{
    public string? Name { get; set; }
    public int[]? Numbers { get; set; }
}
