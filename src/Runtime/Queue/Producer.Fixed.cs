using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <content>Enqueuing messages of a known length, which cannot fail to be packed.</content>
/// <remarks>
/// Nothing can throw between taking the turn and passing it, nor between entering the gate and leaving it, so that the compiler keeps everything in
/// registers: about half of the instructions for a message of 8 bytes.
/// </remarks>
internal sealed partial class Producer<T>
{
    // Whether all messages have one length, and may be packed in place.
    private readonly bool _isFixed;

    // False, with nothing enqueued, when something asks for more care: TryEnqueueInPlace takes it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnqueueFixed(in T message)
    {
        CallGate.Call call = _gate.Enter();
        bool published = TryPublishFixed(in message);
        call.Dispose();
        return published;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryPublishFixed(in T message)
    {
        // Not a field: where the type is known the length is a constant, and nothing is left of most comparisons with it.
        if (!_appender.TryOpen(T.FixedLength, _limit.KnownEnd, out RecordPlace place, out long position))
        {
            return false;
        }
        if (!T.TryPackFixed(place.Payload(T.FixedLength), in message))
        {
            _appender.PassTurn();
            return false;
        }
        _appender.PublishAt(in place, position, T.FixedLength);
        _dataWake.WakeSleepers<MachineMemory>();
        return true;
    }

    // A batch in one go, packed where it stays. False, with nothing enqueued, likewise.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnqueueFixed(ReadOnlySpan<T> messages)
    {
        if (!_isFixed || messages.Length < 2)
        {
            return false;
        }
        CallGate.Call call = _gate.Enter();
        bool published = TryPublishFixed(messages);
        call.Dispose();
        return published;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryPublishFixed(ReadOnlySpan<T> messages)
    {
        if (!_appender.TryOpenBatch(messages.Length, T.FixedLength, _limit.KnownEnd, out long start))
        {
            return false;
        }
        long position = Appender<MachineMemory>.FirstOfBatch(start);
        foreach (ref readonly T message in messages)
        {
            if (!_appender.TryPlaceInBatch(position, T.FixedLength, out RecordPlace place) || !T.TryPackFixed(place.Payload(T.FixedLength), in message))
            {
                _appender.PassTurn();
                return false;
            }
            _appender.EndInBatch(in place, position, T.FixedLength);
            position += RecordFormat.Extent(T.FixedLength);
        }
        _appender.PublishBatch(start, position);
        _dataWake.WakeSleepers<MachineMemory>();
        return true;
    }
}
