namespace BlitQueue.RabbitMq;

/// <summary>What a forwarder does with a message that the exchange has no queue for.</summary>
public enum UnroutableMode
{
    /// <summary>It stays the next one, and is published again until a queue is bound. Later messages wait behind it.</summary>
    Wait = 0,

    /// <summary>It becomes a dead letter of the subscription, and later messages go on.</summary>
    DeadLetter = 1,
}
