namespace BlitQueue.Log;

/// <summary>What a lease cell's message word says, in its low 3 bits.</summary>
internal enum LeaseState
{
    /// <summary>No message.</summary>
    None = 0,

    /// <summary>
    /// The owner is about to take the message. It has taken it if the subscription's next position is behind the message and names the
    /// cell; a consumer that then moves the next position on first turns the state into <see cref="Leased"/>.
    /// </summary>
    Claiming = 1,

    /// <summary>The owner holds the message.</summary>
    Leased = 2,

    /// <summary>Given back: the next consumer takes it, before later messages.</summary>
    Returned = 3,

    /// <summary>The owner is making the message a dead letter: the letter is written already, or not yet.</summary>
    DeadLettering = 4,

    /// <summary>
    /// The owner's transaction is being committed: the message is consumed exactly if the store's slot says that a transaction is decided
    /// which names this cell.
    /// </summary>
    Committing = 5,

    /// <summary>
    /// The owner is giving the message back, and writes why. No time-out takes the message from it: it takes no longer than a write.
    /// </summary>
    GivingBack = 6,

    /// <summary>
    /// The owner is making the letter in the cell a message again: the letter is consumed exactly if the log of the letters' own queue has
    /// a message that names it, the first one at or behind the position that the cell says.
    /// </summary>
    Requeueing = 7,
}
