namespace BlitQueue.Log;

/// <summary>
/// For the consumers of a queue of dead letters: a letter in a dead consumer's cell may have become a message of the letters' own queue
/// again.
/// </summary>
internal sealed class LetterDecisions(QueueStore queue, QueueStore letters) : ICommittedTransactions
{
    public long HeaderAt(long position) => letters.Transactions.HeaderAt(position);

    public bool Consumes(string subscription, int cell, long message)
    {
        if (!queue.Control.Requeue.Consumes(letters.Meta.Id, cell, message, out long position))
        {
            return letters.Transactions.Consumes(subscription, cell, message);
        }
        // Before the letter goes: its message must be there, whatever becomes of the control file.
        queue.Transactions.AwaitRequeued(position);
        return true;
    }
}
