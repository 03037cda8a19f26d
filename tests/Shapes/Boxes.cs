namespace BlitQueue.Shapes;

/// <summary>Generic messages, of every kind of argument.</summary>
[QueueMessage]
public partial class Boxes
{
    public Box<int>? Value { get; set; }
    public Box<DateTimeOffset?>? MaybeValue { get; set; }
    public Box<string>? Text { get; set; }
    public Box<Leaf>? Leaf { get; set; }
    public Box<Dot>? Dot { get; set; }
    public Box<Dot?>? MaybeDot { get; set; }
    public Box<(short, string)>? Tuple { get; set; }
    public Box<string[]>? Texts { get; set; }
    public Box<Dictionary<string, int>>? Map { get; set; }
    public Box<int[,]>? Grid { get; set; }
    public Box<Version>? Version { get; set; }
    public Box<Shape>? Shape { get; set; }
    public List<Box<Box<byte>>>? Nested { get; set; }
}
