using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// A call inside a <see cref="CallGate"/> of a few steps that cannot throw and run nobody's code: fewer instructions than
/// <see cref="CallGate.Enter"/>, and none of them a call, so that what the caller has in registers stays there.
/// </summary>
internal readonly unsafe ref struct LeafCall
{
    private readonly CallWords* _words;

    private LeafCall(CallWords* words) => _words = words;

    /// <summary>That of the calling thread; not begun.</summary>
    public static LeafCall Own
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(CallGate.OwnWords);
    }

    /// <summary>false for a thread's first call, and inside of another one: <see cref="CallGate.Enter"/> takes those.</summary>
    public bool CanBegin
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _words != null && _words->Gate == 0;
    }

    /// <summary>
    /// Enters. The caller then looks whether the gate is closed, and leaves in any case; nothing in between may throw, or enter a gate.
    /// </summary>
    /// <param name="gate">The gate's number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begin(long gate)
    {
        _words->Calls++;
        // What follows may be loaded before it is stored: the closer's process-wide fence puts that right.
        Volatile.Write(ref _words->Gate, -gate);
    }

    /// <summary>Ends the call. A close of the gate meanwhile waits for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Volatile.Write(ref _words->Gate, 0);
}
