namespace BlitQueue.Shapes;

[QueueMessage(Layout = PackLayout.CircularReference)]
public sealed partial class Owner
{
    public Node? Home { get; set; }
    public Owner? Heir { get; set; }
}
