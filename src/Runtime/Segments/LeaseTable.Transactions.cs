namespace BlitQueue.Segments;

internal sealed partial class LeaseTable<TMem>
{
    /// <summary>Marks the leased message as one that the transaction which is being committed consumes. The caller has the store's turn.</summary>
    /// <returns>false when the lease had ended already.</returns>
    public bool TryMarkCommitting(in HeldLease lease)
    {
        if (!TryEnd(lease, SubscriptionFormat.MessageWord(lease.Position, LeaseState.Committing)))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.TransactionLeaseMarked);
        return true;
    }

    /// <summary>Leases the message as before: the transaction was not committed.</summary>
    public void Unmark(in HeldLease lease) => TMem.CompareExchange(
        ref file.Message(lease.Cell), SubscriptionFormat.MessageWord(lease.Position, LeaseState.Leased),
        SubscriptionFormat.MessageWord(lease.Position, LeaseState.Committing));

    /// <summary>What a transaction's entry says of the lease.</summary>
    /// <param name="queue">The queue's name in its store.</param>
    /// <param name="queueId">Its id.</param>
    /// <param name="lease">The lease.</param>
    public DecidedLease EntryOf(string queue, Guid queueId, in HeldLease lease) =>
        new(queue, queueId, file.Name, lease.Cell, lease.Position, _me, lease.Attempt);

    // Who took a dead one's cell over may have died too: the entry names the first of them, so the owner is not compared.
    private bool IsConsumed(int cell, long message) =>
        SubscriptionFormat.State(message) == LeaseState.Committing
        && transactions.Consumes(
            file.Name, cell, SubscriptionFormat.MessagePosition(message), TMem.Load(ref file.Attempt(cell)));

    // The cell is this participant's by now. True when its message is to be delivered again: it is marked as leased then.
    private bool TryTakeBack(int cell, long owner, long message, bool consumed)
    {
        if (self.IsAlive<TMem>(owner))
        {
            // It was overdue when it was looked at; meanwhile its transaction is being committed.
            TMem.CompareExchange(ref file.Owner(cell), owner, _me);
            return false;
        }
        // Who completes the transaction may be faster. It ends the lease before the slot is used again: so where the slot said no, and
        // the message still bears the mark, it never was decided.
        long settled = consumed ? 0 : SubscriptionFormat.MessageWord(SubscriptionFormat.MessagePosition(message), LeaseState.Leased);
        if (TMem.CompareExchange(ref file.Message(cell), settled, message) == message && !consumed)
        {
            return true;
        }
        ReleaseCell(cell);
        control.Room.WakeSleepers<TMem>();
        return false;
    }
}
