namespace BlitQueue.RabbitMq;

/// <summary>
/// How far each source was received: the one message of a queue beside the receiver's. The transaction that writes messages takes the old
/// one and sends the new one.
/// </summary>
[QueueMessage]
internal sealed partial class SourceMarks
{
    public List<SourceMark> Marks { get; set; } = [];
}
