namespace BlitQueue.Tests.Queue;

/// <summary>A message with a string and a fixed member.</summary>
[QueueMessage]
internal sealed partial class Note
{
    public long Id { get; set; }

    public string? Text { get; set; }
}
