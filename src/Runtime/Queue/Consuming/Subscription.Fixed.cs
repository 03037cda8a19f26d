using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Dequeuing messages of a known length, any bytes of which are a message.</content>
/// <remarks>Nothing can throw between entering the gate and leaving it; see the producer's side for what that is worth.</remarks>
public sealed partial class Subscription<T>
{
    private readonly long _gateNumber;

    // Returns false, with nothing taken, when there is no message, or one that needs more care: TryDequeueChecked takes it then.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryDequeueFixed([NotNullWhen(true)] ref T? message)
    {
        // A local, not a field: where the type is known the length is a constant, and the JIT removes most comparisons with it.
        int length = T.FixedLength;
        LeafCall call = LeafCall.Own;
        if (call.CanBegin)
        {
            call.Begin(_gateNumber);
            Cursor<MachineMemory> cursor = _cursor;
            if (!_gate.IsMarkedClosed)
            {
                long nextWord = cursor.NextWord;
                long position = SubscriptionFormat.Position(nextWord);
                if (cursor.IsUnleased(nextWord) && cursor.Reader.TryGetSlot(position, length, out RecordSlot slot)
                    && cursor.Reader.HasRecord(slot, position, length) && T.TryUnpackFixed(slot.Payload(length), ref message)
                    && cursor.TryConsumeWithin(nextWord, position + RecordFormat.Extent(length)))
                {
                    call.Count(_given);
                    cursor.WakeWriters();
                    call.Leave();
#pragma warning disable CS8762 // TryUnpackFixed fills an instance, or is false.
                    return true;
#pragma warning restore CS8762
                }
            }
            call.Leave();
        }
        return false;
    }
}
