namespace BlitQueue.Shapes;

/// <summary>A union of messages.</summary>
[QueueMessage]
[PackUnion(0, typeof(Circle))]
[PackUnion(1, typeof(Square))]
[PackUnion(40_000, typeof(Group))]
public abstract partial class Shape
{
    public int Id { get; set; }
}
