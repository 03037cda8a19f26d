using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private const string ExpiredReason = "expired";

    // Looked at before the record's check is, so that a message in time is checked once; what is to go unseen must be whole.
    private bool IsExpired(in FoundRecord found) =>
        found.HasProperties
        && _cursor.Reader.TryReadTicks(found, PropertyKinds.ExpiresAt, out long expiresAt)
        && expiresAt <= DateTime.UtcNow.Ticks
        && _cursor.Reader.IsWhole(found);

    // Does nothing where another consumer has taken it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndExpired(in FoundRecord found)
    {
        if (_options.Expired == ExpiredMode.DeadLetter)
        {
            if (_leases.TryTake(found, out HeldLease lease))
            {
                EndExpired(lease);
            }
        }
        else if (_cursor.TryConsume(found))
        {
            MachineMemory.Increment(ref _file.Expired);
        }
    }

    private bool EndIfExpired(in HeldLease lease)
    {
        // A message given back may have had its time while it was held; one that comes for the first time says whether it can expire.
        if (lease is { HasProperties: false, Attempt: 1 })
        {
            return false;
        }
        try
        {
            bool isExpired = IsExpired(_cursor.Reader.At(lease.Position));
            if (isExpired)
            {
                EndExpired(lease);
            }
            return isExpired;
        }
        catch
        {
            _leases.TryAbandon(lease);
            throw;
        }
    }

    private void EndExpired(in HeldLease lease)
    {
        if (_options.Expired == ExpiredMode.DeadLetter)
        {
            BuryUndelivered(lease, ExpiredReason);
        }
        else if (!_leases.TryCommit(lease))
        {
            // Another consumer has it, for whom it is expired too.
            return;
        }
        MachineMemory.Increment(ref _file.Expired);
    }
}
