namespace BlitQueue.Shapes;

/// <summary>Whatever it is of.</summary>
[QueueMessage]
public partial class Box<T>
{
    public int Before { get; set; }
    public T? Content { get; set; }
    public List<T>? Contents { get; set; }
    public string? After { get; set; }
}
