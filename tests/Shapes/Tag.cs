namespace BlitQueue.Shapes;

[QueueMessage]
public sealed partial record Tag(string? Text) : ITagged;
