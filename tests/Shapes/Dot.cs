namespace BlitQueue.Shapes;

/// <summary>A struct that is nested.</summary>
[QueueMessage]
public partial struct Dot
{
    public short X;
    public string? Label;
}
