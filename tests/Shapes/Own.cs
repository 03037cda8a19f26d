namespace BlitQueue.Shapes;

/// <summary>Collections of one's own, and a union made from outside.</summary>
[QueueMessage]
public partial class Own
{
    public LeafNames? Names { get; set; }
    public LeafStack? Stack { get; set; }
    public LeafIndex? Index { get; set; }
    [PackWith(typeof(HuskPacker))] public IHusk? Husk { get; set; }
    [PackWith(typeof(HuskPacker))] public List<IHusk?>? Husks { get; set; }
}
