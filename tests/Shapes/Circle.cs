namespace BlitQueue.Shapes;

[QueueMessage]
public sealed partial class Circle : Shape, ITagged
{
    public double Radius { get; set; }
    public string? Name { get; set; }
}
