namespace BlitQueue.Shapes;

/// <summary>Members by number, with holes.</summary>
[QueueMessage(Layout = PackLayout.VersionTolerant)]
public partial class Tolerant
{
    [PackOrder(0)] public int Id { get; set; }
    [PackOrder(9)] public string? Name { get; set; }
    [PackOrder(2)] public decimal? Price { get; set; } = 4;
    [PackOrder(3)] public List<string>? Tags { get; set; } = ["new"];
    [PackOrder(5)] public Leaf? Leaf { get; set; }
    [PackOrder(6)] public Dot? Dot { get; set; }
    [PackOrder(7)] public Tolerant? Next { get; set; }
    [PackOrder(12)] public TolerantRecord? Record { get; set; }
    [PackOrder(13)] public Dictionary<int, bool>? Map { get; set; }
    [PackOrder(14)] public DateTimeOffset When { get; set; }
    [PackOrder(15)] public (int A, string? B) Tuple { get; set; }
}
