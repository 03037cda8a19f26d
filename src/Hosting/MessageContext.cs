namespace BlitQueue.Hosting;

/// <summary>Where a message comes from, and how often it was delivered. Tests of handlers may make one.</summary>
public sealed record MessageContext
{
    /// <summary>The name that the queue was added with.</summary>
    public required string Queue { get; init; }

    /// <summary>The subscription from which the message was taken.</summary>
    public required string Subscription { get; init; }

    /// <summary>
    /// Where the message stands in the queue; never used again for another one. A handler that writes it together with what it does can
    /// tell a message that is delivered again.
    /// </summary>
    public QueuePosition Position { get; init; }

    /// <summary>How often the message was delivered, this time included; 1 the first time.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>What its producer wrote beside the message; null where it wrote nothing.</summary>
    public MessageProperties? Properties { get; init; }
}
