namespace BlitQueue.Shapes;

[QueueMessage]
public sealed partial class Square : Shape
{
    public decimal Side { get; set; }
}
