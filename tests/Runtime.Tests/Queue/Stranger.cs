namespace BlitQueue.Tests.Queue;

/// <summary>A message that has nothing in common with a <see cref="Note"/>.</summary>
[QueueMessage]
internal sealed partial class Stranger
{
    public Guid Key { get; set; }
}
