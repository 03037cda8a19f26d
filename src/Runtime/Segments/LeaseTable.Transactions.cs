namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    /// <summary>Marks the leased message as one that the transaction which is being committed consumes. The caller has the store's turn.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryMarkCommitting(in HeldLease lease)
    {
        if (!TryEnd(lease, Marked(lease)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.TransactionLeaseMarked);
        return true;
    }

    /// <summary>Leases the message as before: the transaction was not committed.</summary>
    public void Unmark(in HeldLease lease) => TMem.CompareExchange(ref file.Message(lease.Cell), lease.Message, Marked(lease));

    /// <summary>What a transaction's entry says of the lease.</summary>
    /// <param name="queue">The queue's name in its store.</param>
    /// <param name="queueId">Its id.</param>
    /// <param name="lease">The lease.</param>
    public DecidedLease EntryOf(string queue, Guid queueId, in HeldLease lease) => new(queue, queueId, file.Name, lease.Cell, Marked(lease));

    private static long Marked(in HeldLease lease) => SubscriptionFormat.InState(lease.Message, LeaseState.Committing);
}
