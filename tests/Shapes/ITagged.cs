namespace BlitQueue.Shapes;

/// <summary>A union behind an interface, one case of which has a view of its own.</summary>
[QueueMessage]
[PackUnion(3, typeof(Circle))]
[PackUnion(65_535, typeof(Tag))]
public partial interface ITagged;
