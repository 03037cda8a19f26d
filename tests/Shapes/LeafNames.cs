namespace BlitQueue.Shapes;

/// <summary>A list of one's own.</summary>
public class LeafNames : List<string?>;
