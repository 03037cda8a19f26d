namespace BlitQueue.RabbitMq;

/// <summary>What stands in the way of a forwarder or a receiver.</summary>
public enum BridgeProblem
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>No broker answers at the given hosts, or the connection was lost. Retried for ever.</summary>
    Unreachable = 1,

    /// <summary>The broker refuses the user's name and password, or the right to what was asked for. Retried for ever.</summary>
    AccessRefused = 2,

    /// <summary>The exchange does not exist. Retried for ever; declare it, or set the option that does.</summary>
    MissingExchange = 3,

    /// <summary>The queue at the broker does not exist. Retried for ever; declare it, or set the option that does.</summary>
    MissingQueue = 4,

    /// <summary>An exchange or a queue exists at the broker with other properties than the options ask for. It is never changed.</summary>
    TopologyMismatch = 5,

    /// <summary>The exchange has no queue for the messages. They stay in the local queue and are retried.</summary>
    Unroutable = 6,

    /// <summary>The broker refused to take responsibility for a message (<c>basic.nack</c>): a queue is full, or failed. Retried.</summary>
    Refused = 7,

    /// <summary>The broker has no memory or disk left, and takes nothing until it has.</summary>
    Blocked = 8,

    /// <summary>A message is larger than the options or the broker allow. It became a dead letter of the subscription.</summary>
    TooLarge = 9,

    /// <summary>
    /// The next message of the local queue is damaged. Nothing behind it is forwarded until <c>Subscription.SkipCorrupt</c> or a
    /// repair.
    /// </summary>
    DamagedMessage = 10,

    /// <summary>A message cannot be received: of another type, or no packed message at all. It was set aside.</summary>
    UnreadableMessage = 11,

    /// <summary>A message is missing that the source has sent.</summary>
    Gap = 12,

    /// <summary>Another process forwards, receives or consumes here. Retried: it takes over when the other one ends.</summary>
    InUse = 13,

    /// <summary>
    /// The local disk or queue has no room: a receiver takes nothing from the broker; a forwarder's message waits to become a dead letter,
    /// and later ones go on.
    /// </summary>
    LocalQueueFull = 14,

    /// <summary>
    /// A message was to become a dead letter when its forwarder ended, and later ones were sent: the next forwarder made it one.
    /// </summary>
    OutOfOrder = 15,

    /// <summary>Something else; the text says what.</summary>
    Other = 16,

    /// <summary>
    /// The broker refuses a message for its properties, as a <c>ReplyTo</c> or a header that has a meaning of its own there. It became a
    /// dead letter.
    /// </summary>
    UnsendableMessage = 17,
}
