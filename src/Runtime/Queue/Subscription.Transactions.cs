using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private Action<HeldLease>? _giveBack;

    internal QueueStore Store => _store;

    /// <summary>Takes and reads the next message for a transaction.</summary>
    internal bool TryReceive(ref T? message, out TransactionInput input)
    {
        input = default;
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        if (!TryTake(out Lease<T> lease))
        {
            return false;
        }
        try
        {
            UnpackLeased(lease.Held, ref message);
        }
        catch
        {
            TryAbandon(lease.Held);
            throw;
        }
        input = new TransactionInput(_store, _file, _leases, lease.Held, _giveBack ??= held => TryAbandon(held));
        return true;
    }

    internal void WaitForMore(CancellationToken ct) => WaitForMessage(ct);
}
