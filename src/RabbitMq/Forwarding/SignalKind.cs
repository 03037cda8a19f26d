namespace BlitQueue.RabbitMq;

/// <summary>What the broker has said.</summary>
internal enum SignalKind
{
    /// <summary>It has a message, or all up to it (<c>basic.ack</c>).</summary>
    Confirmed,

    /// <summary>It does not take a message (<c>basic.nack</c>).</summary>
    Refused,

    /// <summary>It has no queue for a message (<c>basic.return</c>). A confirm of the same message follows.</summary>
    Returned,

    /// <summary>The channel is closed.</summary>
    Closed,

    /// <summary>It takes nothing for a while.</summary>
    Blocked,

    /// <summary>It takes messages again.</summary>
    Unblocked,
}
