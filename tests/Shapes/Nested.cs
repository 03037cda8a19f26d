namespace BlitQueue.Shapes;

/// <summary>Messages inside messages.</summary>
[QueueMessage]
public partial class Nested
{
    public Leaf? Leaf { get; set; }
    public Dot Dot { get; set; }
    public Dot? MaybeDot { get; set; }
    public Row? Row { get; set; }
    public Tick Tick { get; set; }
    public Tick? MaybeTick { get; set; }
    public Leaf?[]? LeafArray { get; set; }
    public List<Leaf>? LeafList { get; set; }
    public Dot[]? DotArray { get; set; }
    public List<Dot?>? DotList { get; set; }
    public Row[]? Rows { get; set; }
    public List<Tick>? Ticks { get; set; }
    public List<Leaf[]>? Jagged { get; set; }
    public Nested? Next { get; set; }
    public List<Nested>? Many { get; set; }
}
