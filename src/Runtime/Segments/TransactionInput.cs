using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>A message that a transaction has received.</summary>
/// <param name="Store">Its queue.</param>
/// <param name="File">Its subscription.</param>
/// <param name="Leases">The subscription's leases, as the consumer sees them.</param>
/// <param name="Held">The lease.</param>
/// <param name="GiveBack">Gives the message back to the subscription's consumers, unless its queue was disposed.</param>
internal readonly record struct TransactionInput(
    QueueStore Store, SubscriptionFile File, LeaseTable<MachineMemory> Leases, HeldLease Held, Action<HeldLease> GiveBack)
{
    public DecidedLease Entry => Leases.EntryOf(Store.Transactions.Name, Store.Meta.Id, Held);
}
