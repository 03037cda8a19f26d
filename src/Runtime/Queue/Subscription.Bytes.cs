using System.Buffers;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    internal LeasedBytes OpenBytes(scoped in HeldLease lease)
    {
        CallGate.Stay stay = _store.Gate.EnterToStay();
        byte[]? joined = null;
        try
        {
            _cursor.ThrowIfGone();
            _leases.Require(_leases.IsHeld(lease), lease);
            FoundRecord found = _cursor.Reader.At(lease.Position);
            if (!found.IsInPieces)
            {
                return new LeasedBytes(stay, _cursor.Reader.Behind(found), joined: null);
            }
            joined = ArrayPool<byte>.Shared.Rent((int)found.Length);
            return new LeasedBytes(stay, _cursor.Reader.Join(found, joined), joined);
        }
        catch
        {
            if (joined is not null)
            {
                ArrayPool<byte>.Shared.Return(joined);
            }
            stay.TryLeave();
            throw;
        }
    }
}
