namespace BlitQueue.RabbitMq;

/// <summary>How far a source was received.</summary>
[QueueMessage]
internal sealed partial class SourceMark
{
    public string SourceId { get; set; } = "";

    /// <summary>Of the last message of the source that was received, in the source's queue.</summary>
    public long Position { get; set; }
}
