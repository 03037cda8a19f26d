using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// Messages of a known length that are one data record in the only pinned segment: no segment has to be unpinned after them, so nothing can
/// fail. Each member here is a few instructions; the caller runs them one after the other, with nothing in between, so that all values stay
/// in registers.
/// </content>
internal sealed partial class Cursor<TMem>
{
    /// <summary>The subscription's next word: a message that was found with it can be taken as long as the word does not change.</summary>
    public long NextWord
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TMem.Load(ref _next.Value);
    }

    /// <summary>Whether the previous message was taken and consumed in one step, and no lease has to be looked at.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUnleased(long nextWord) => SubscriptionFormat.Cell(nextWord) == 0 && !HasLeases;

    /// <summary>
    /// Takes and consumes, in one step, the message from the next word that was read to a position in the same segment.
    /// </summary>
    /// <returns>false if another consumer has taken the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryConsumeWithin(long nextWord, long after)
    {
        FailPoint.Reach(ProtocolStep.DequeueUnpacked);
        // SYNC POINT next: publishes that everything in front of the position is taken.
        bool consumed = TMem.CompareExchange(ref _next.Value, SubscriptionFormat.NextWord(after, 0), nextWord) == nextWord;
        FailPoint.ReachIf(consumed, ProtocolStep.DequeueCommitted);
        return consumed;
    }

    /// <summary>Wakes producers that wait for room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeWriters() => EventCount.NotifyWaiters<TMem>(ref _sleepingWriters.Value, _room);
}
