namespace BlitQueue.Shapes;

/// <summary>Values back to back.</summary>
[QueueMessage]
public partial class Tuples
{
    public (int A, string? B) Pair { get; set; }
    public (int A, string? B)? MaybePair { get; set; }
    public (bool A, Leaf? B, List<int>? C, decimal? D) Four { get; set; }
    public (int A, int B, int C, int D, int E, int F, int G, int H, string? I) Nine { get; set; }
    public ValueTuple<decimal> One { get; set; }
    public Tuple<int, string?>? Class { get; set; }
    public Tuple<int, int, int, int, int, int, int, Tuple<string?>>? Eight { get; set; }
    public KeyValuePair<string, Leaf?> Entry { get; set; }
    public KeyValuePair<int, DateTime>? MaybeEntry { get; set; }
    public Lazy<int>? LazyValue { get; set; }
    public Lazy<bool>? LazyFlag { get; set; }
    public Lazy<Leaf?>? LazyLeaf { get; set; }
    public (int A, bool B)[]? Array { get; set; }
    public List<(int A, string? B)?>? List { get; set; }
    public Dictionary<string, (int A, Dot B)>? Map { get; set; }
}
