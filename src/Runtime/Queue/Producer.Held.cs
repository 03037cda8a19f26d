using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <content>The enqueuing side of a queue's sole producer: another one beside the handle's own, whose appender holds the turn.</content>
internal sealed partial class Producer<T>
{
    private readonly OwnEntrance? _entrance;

    // The appender has its address.
    private readonly OwnWord? _own;

    /// <summary>Takes the turn to keep it.</summary>
    /// <exception cref="QueueException">Another has it likewise, or as for any who append.</exception>
    public static Producer<T> HoldBeside(Producer<T> other)
    {
        QueueStore store = other._store;
        var held = new Producer<T>(store, other.Options, other._limit, new OwnWord());
        try
        {
            using CallGate.Call call = store.Gate.Enter();
            held._appender.Hold(other._turnWait, other._patience);
            store.Releasing += held._appender.LetGo;
        }
        catch
        {
            held.Leave();
            throw;
        }
        return held;
    }

    /// <summary>Passes the turn that was held, and gives everything back. Called inside the gate.</summary>
    public void LetGo()
    {
        _store.Releasing -= _appender.LetGo;
        _appender.LetGo();
        Leave();
    }

    /// <exception cref="QueueFailedException">A sync has failed: who holds the turn is not told by it.</exception>
    public void RequireUnfailed()
    {
        using CallGate.Call call = _gate.Enter();
        if (MachineMemory.Load(ref _store.Control.Failed) != 0)
        {
            throw SyncFailure.Refusal(_store.Control, _store.Files);
        }
    }

    /// <returns>false, with nothing enqueued, when something asks for more care.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnqueueHeld(in T message)
    {
        _entrance!.Enter();
        bool published = TryPublishHeld(in message);
        _entrance.Leave();
        return published;
    }

    /// <summary>After whatever asked for more care: goes on from the tail.</summary>
    public void GoOn()
    {
        if (_isFixed)
        {
            using CallGate.Call call = _gate.Enter();
            _appender.BeginStretch(_limit.KnownEnd);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryPublishHeld(in T message)
    {
        Appender<MachineMemory> appender = _appender;
        if (!appender.GoesOnHeld(T.FixedLength))
        {
            return false;
        }
        RecordPlace place = appender.Place;
        if (!T.TryPackFixed(place.Payload(T.FixedLength), in message))
        {
            return false;
        }
        appender.PublishHeld(place, T.FixedLength);
        appender.WakeReaders();
        return true;
    }

    private void Leave()
    {
        _store.Releasing -= _appender.Dispose;
        _store.Releasing -= _dropper.Dispose;
        _appender.Dispose();
        _dropper.Dispose();
    }
}
