using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>A message that a transaction has received: its lease, and what gives it back to other consumers unless its queue was disposed.</summary>
internal readonly record struct TransactionInput(
    QueueStore Store, SubscriptionFile File, LeaseTable<MachineMemory> Leases, HeldLease Held, Action<HeldLease> GiveBack)
{
    public DecidedLease Entry => Leases.EntryOf(Store.Transactions.Name, Store.Meta.Id, Held);
}
