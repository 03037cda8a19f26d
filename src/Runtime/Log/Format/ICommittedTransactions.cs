namespace BlitQueue.Log;

/// <summary>The part of a queue in the committed transactions of its store, of which some may not be carried out yet.</summary>
internal interface ICommittedTransactions
{
    /// <summary>
    /// The header of what a committed transaction sends to this queue, if that is at the tail; otherwise 0. Called by the holder of the
    /// append lock that has taken it over from a dead one.
    /// </summary>
    long HeaderAt(long position);

    /// <summary>Whether a committed transaction consumes the message in a dead consumer's cell.</summary>
    bool Consumes(string subscription, int cell, long message);
}
