using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// A message that a transaction has received: its lease, and the delegate that gives it back to other consumers unless its queue was
/// disposed.
/// </summary>
internal readonly record struct TransactionInput(
    QueueStore Store, SubscriptionFile File, LeaseTable<MachineMemory> Leases, LeaseToken Held, Action<LeaseToken> GiveBack)
{
    public DecidedLease Entry => Leases.EntryOf(Store.Transactions.Name, Store.Meta.Id, Held);
}
