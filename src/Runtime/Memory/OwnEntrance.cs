using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// A way into a <see cref="CallGate"/> for an object that one thread at a time uses: as entering the gate, without having to look for the
/// thread's slot.
/// </summary>
internal sealed unsafe class OwnEntrance
{
    private readonly CallGate _gate;
    private readonly CallSlot _slot;
    private readonly CallWords* _words;
    private readonly long _number;

    public OwnEntrance(CallGate gate)
    {
        _gate = gate;
        _number = -gate.Number;
        _slot = CallGate.AddSlot(outer: null);
        _words = _slot.Words;
    }

    /// <summary>Enters a call; nothing before <see cref="Leave"/> may throw.</summary>
    /// <exception cref="ObjectDisposedException">The gate is closed.</exception>
    /// <exception cref="InvalidOperationException">A call is inside; not always noticed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        CallWords* words = _words;
        if (words->Gate != 0)
        {
            ThrowOccupied();
        }
        words->Calls++;
        Volatile.Write(ref words->Gate, _number);
        // Not Volatile: the closer's process-wide fence orders this load after the store above.
        if (_gate.IsMarkedClosed)
        {
            Refuse();
        }
    }

    /// <summary>Ends the call. Who closes the gate meanwhile waits for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Volatile.Write(ref _words->Gate, 0);

    [DoesNotReturn]
    private void Refuse()
    {
        Leave();
        CallGate.ThrowClosed();
    }

    [DoesNotReturn]
    private static void ThrowOccupied() => throw new InvalidOperationException(
        "Two threads use the object at the same time, or it is used inside of a call on itself. Give each call to it to one thread at a time.");
}
