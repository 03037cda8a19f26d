using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// Messages of a known length that stand as one plain record in the one segment that is being read: nothing is given back after them, so
/// nothing can fail. Each member here is a few instructions; the caller runs them one after the other, with nothing in between, so
/// that all stays in registers.
/// </content>
internal sealed partial class Cursor<TMem>
{
    /// <summary>The subscription's next word; what is found by it can be taken as long as it stays so.</summary>
    public long NextWord
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TMem.Load(ref _next.Value);
    }

    /// <summary>Whether the message before was taken and consumed in one step, and no lease asks for a look.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUnleased(long nextWord) => SubscriptionFormat.Cell(nextWord) == 0 && !HasLeases;

    /// <summary>
    /// Takes and consumes the message between the next word, as it was seen, and a position in the same segment, in one step.
    /// </summary>
    /// <returns>false when another consumer has taken it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryConsumeWithin(long nextWord, long after)
    {
        FailPoint.Reach(ProtocolStep.DequeueUnpacked);
        // SYNC POINT next: publishes that everything before is handed out.
        bool consumed = TMem.CompareExchange(ref _next.Value, SubscriptionFormat.NextWord(after, 0), nextWord) == nextWord;
        FailPoint.ReachIf(consumed, ProtocolStep.DequeueCommitted);
        return consumed;
    }

    /// <summary>Wakes producers that wait for room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWriters() => EventCount.NotifyWaiters<TMem>(ref _sleepingWriters.Value, _room);
}
