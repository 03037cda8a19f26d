namespace BlitQueue.Shapes;

/// <summary>A stack of one's own.</summary>
public class LeafStack : Stack<Leaf?>;
