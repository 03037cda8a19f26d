namespace BlitQueue.RabbitMq;

/// <summary>
/// A message is missing: its source has sent it, and it did not come. The receiver has stopped; what came later is still at the broker.
/// </summary>
public sealed class MessageGapException : Exception
{
    internal MessageGapException(string message)
        : base(message)
    {
    }

    /// <summary>The source's identity, as in AMQP's <c>app-id</c>.</summary>
    public required string SourceId { get; init; }

    /// <summary>The position of the last message of the source that was received; -1: none was.</summary>
    public required long Received { get; init; }

    /// <summary>The position, in the source's queue, of the last message that is missing.</summary>
    public required long Missing { get; init; }
}
