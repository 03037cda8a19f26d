namespace BlitQueue.Shapes;

/// <summary>A dictionary of one's own.</summary>
public class LeafIndex : Dictionary<string, Leaf?>;
