namespace BlitQueue.Log;

/// <summary>What the committed transactions of a queue's store, of which some may not be carried out, say of the queue.</summary>
internal interface ICommittedTransactions
{
    /// <summary>
    /// The header of what a committed transaction sends to this queue, if it stands at the tail; else 0. For the holder of the append lock,
    /// who has taken it from the dead.
    /// </summary>
    long HeaderAt(long position);

    /// <summary>Whether a committed transaction consumes the message that a dead consumer's cell holds.</summary>
    bool Consumes(string subscription, int cell, long message);
}
