namespace BlitQueue.Log;

/// <summary>What a lease cell's message word says, in its low 3 bits.</summary>
internal enum LeaseState
{
    /// <summary>No message.</summary>
    None = 0,

    /// <summary>
    /// About to take the message. It has, if the subscription's next position went past it and names the cell; anyone who then moves the
    /// next position on first turns the mark into <see cref="Leased"/>.
    /// </summary>
    Claiming = 1,

    /// <summary>The owner holds the message.</summary>
    Leased = 2,

    /// <summary>Given back: the next consumer takes it, before later messages.</summary>
    Returned = 3,

    /// <summary>The owner is setting the message aside: it is among the dead letters already, or not yet.</summary>
    DeadLettering = 4,

    /// <summary>
    /// The owner's transaction is being committed: the message is consumed exactly when the store's slot says that a transaction is
    /// decided that names this cell.
    /// </summary>
    Committing = 5,
}
