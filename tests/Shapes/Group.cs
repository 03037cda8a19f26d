namespace BlitQueue.Shapes;

[QueueMessage]
public sealed partial class Group : Shape
{
    public List<Shape?>? Shapes { get; set; }
}
