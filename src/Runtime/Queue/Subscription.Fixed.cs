using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <content>Dequeuing messages of a known length, any bytes of which are a message.</content>
/// <remarks>Nothing can throw between entering the gate and leaving it; see the producer's side for what that is worth.</remarks>
public sealed partial class Subscription<T>
{
    // False, with nothing taken, when there is nothing, or something asks for more care: TryDequeueChecked takes it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryDequeueFixed(ref T? message)
    {
        CallGate.Call call = _gate.Enter();
        bool isTaken = TryTakeFixed(ref message);
        call.Dispose();
        return isTaken;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryTakeFixed(ref T? message)
    {
        // Not a field: where the type is known the length is a constant, and nothing is left of most comparisons with it.
        if (!_cursor.TryFindPlain(T.FixedLength, out long nextWord, out RecordPlace place) || !T.TryUnpackFixed(place.Payload(T.FixedLength), ref message))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.DequeueUnpacked);
        return _cursor.TryConsumeWithin(nextWord, SubscriptionFormat.Position(nextWord) + RecordFormat.Extent(T.FixedLength));
    }
}
