using BlitQueue.Platform;

namespace BlitQueue.Memory;

/// <summary>
/// The memory in which a large message was packed or put together last, for the next one: pages that the system has cleared already cost a
/// tenth of new ones. After <see cref="LongestIdle"/> without use the system gets it back.
/// </summary>
internal static class ReusedScratch
{
    private static readonly TimeSpan LongestIdle = TimeSpan.FromSeconds(10);
    private static readonly Timer Ending = new(static _ => Exchange(null)?.Dispose());

    // At most one, taken by exchange: a caller that finds none asks the system.
    private static GrowingMemory? Idle;

    /// <summary>Memory of so many bytes or more; null if the system has none.</summary>
    public static GrowingMemory? Take(int length)
    {
        GrowingMemory? memory = Exchange(null) ?? CurrentPlatform.Instance.TryReserve(Array.MaxLength);
        if (memory?.TryGrow(length) == true)
        {
            return memory;
        }
        memory?.Dispose();
        return null;
    }

    /// <summary>Stores memory that is not used any more for the next caller, and releases what was stored before.</summary>
    public static void GiveBack(GrowingMemory memory)
    {
        Exchange(memory)?.Dispose();
        Ending.Change(LongestIdle, Timeout.InfiniteTimeSpan);
    }

    private static GrowingMemory? Exchange(GrowingMemory? memory) => Interlocked.Exchange(ref Idle, memory);
}
