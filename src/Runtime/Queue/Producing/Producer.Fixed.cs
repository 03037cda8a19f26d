using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Enqueuing messages of a known length, which cannot fail to be packed.</content>
/// <remarks>
/// Nothing can throw between acquiring the append lock and releasing it, nor between entering the gate and leaving it, so that the compiler
/// keeps everything in registers. The JIT also limits how much it inlines into the loop around the call: with everything inlined, a message
/// of 8 bytes goes in and out on one thread in two thirds of the time that it takes with one call left.
/// </remarks>
internal sealed partial class Producer<T>
{
    // Whether all messages have one length, and may be packed in place.
    private readonly bool _isFixed;

    private readonly long _gateNumber;

    // Returns NotEnqueued when a message needs more care: the general way takes it then.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long TryEnqueueFixed(in T message)
    {
        // A local, not a field: where the type is known the length is a constant, and the JIT removes most comparisons with it.
        int length = T.FixedLength;
        LeafCall call = LeafCall.Own;
        if (_isFixed && !QueueTracing.IsOn && call.CanBegin)
        {
            call.Begin(_gateNumber);
            Appender<MachineMemory> appender = _appender;
            if (!_gate.IsMarkedClosed && appender.TryAcquireLock(call.ThreadId))
            {
                if (appender.GoesOn(length) || appender.TryFollow(length, _limit.KnownEnd))
                {
                    RecordSlot slot = appender.Slot;
                    if (T.TryPackFixed(slot.Payload(length), in message))
                    {
                        long position = appender.PublishAt(slot, length);
                        appender.WakeReaders();
                        call.Leave();
                        return position;
                    }
                }
                appender.ReleaseLock();
            }
            call.Leave();
        }
        return NotEnqueued;
    }

    // Appends a batch at once, packed in place. Returns NotEnqueued where the general way is to be taken.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long TryEnqueueFixed(ReadOnlySpan<T> messages)
    {
        if (!_isFixed || messages.Length < 2 || QueueTracing.IsOn)
        {
            return NotEnqueued;
        }
        CallGate.Call call = _gate.Enter();
        long first = TryPublishFixed(messages);
        call.Dispose();
        return first;
    }

    // Whether a batch that goes beyond the known end has room after another look. It need not be packed elsewhere to find out.
    private bool FindsRoom(int count)
    {
        long extent = BatchLayout.AnnouncementExtent + (count * RecordFormat.Extent(T.FixedLength));
        using CallGate.Call call = _gate.Enter();
        if (!_isFixed || count < 2 || QueueTracing.IsOn || MachineMemory.Load(ref _store.Control.Tail) + extent <= _limit.KnownEnd
            || !_appender.TryAcquireLock(MachineMemory.ThreadId))
        {
            return false;
        }
        try
        {
            return _limit.Allows(MachineMemory.Load(ref _store.Control.Tail), extent);
        }
        finally
        {
            _appender.ReleaseLock();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long TryPublishFixed(ReadOnlySpan<T> messages)
    {
        if (!_appender.TryOpenBatch(messages.Length, T.FixedLength, _limit.KnownEnd, out long start))
        {
            return NotEnqueued;
        }
        long position = Appender<MachineMemory>.FirstOfBatch(start);
        foreach (ref readonly T message in messages)
        {
            if (!_appender.TryGetSlotInBatch(position, T.FixedLength, out RecordSlot slot)
                || !T.TryPackFixed(slot.Payload(T.FixedLength), in message))
            {
                _appender.AbandonBatch(start);
                return NotEnqueued;
            }
            _appender.EndInBatch(in slot, position, T.FixedLength);
            position += RecordFormat.Extent(T.FixedLength);
        }
        _appender.PublishBatch(start, position, messages.Length);
        _dataWake.NotifyWaiters<MachineMemory>();
        return Appender<MachineMemory>.FirstOfBatch(start);
    }
}
