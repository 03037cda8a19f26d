using BlitQueue.Platform;

namespace BlitQueue.Memory;

/// <summary>
/// The memory that a large message was packed or put together in last, for the next one: pages that the system has cleared already cost a
/// tenth of new ones. After <see cref="LongestIdle"/> without use the system has it back.
/// </summary>
internal static class ReusedScratch
{
    private static readonly TimeSpan LongestIdle = TimeSpan.FromSeconds(10);
    private static readonly Timer Ending = new(static _ => Exchange(null)?.Dispose());

    // One, exchanged: a caller that finds none asks the system.
    private static GrowingMemory? Idle;

    /// <summary>Memory of so many bytes or more; null where the system has none.</summary>
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

    /// <summary>Keeps memory that nobody uses any more, for a while, instead of what was kept.</summary>
    public static void GiveBack(GrowingMemory memory)
    {
        Exchange(memory)?.Dispose();
        Ending.Change(LongestIdle, Timeout.InfiniteTimeSpan);
    }

    private static GrowingMemory? Exchange(GrowingMemory? memory) => Interlocked.Exchange(ref Idle, memory);
}
