using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Two words by which participants sleep until another wakes them. A waker looks at one of them, which is zero unless somebody sleeps.
/// </summary>
/// <remarks>
/// SYNC POINT sleeper/waker: the sleeper stores its mark, fences every process (<see cref="ISharedMemory.SleeperFence"/>), then looks for
/// work; the waker publishes work, then loads the mark. So either the waker sees the mark or the sleeper sees the work. A waker that dies
/// between its publication and its wake-up costs the sleeper <see cref="LongestSleep"/> at most.
/// </remarks>
internal sealed class EventCount(MappedRegion region, long offset)
{
    /// <summary>After this time a sleeper looks again by itself, in case its waker was killed.</summary>
    public static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(50);

    private readonly SharedWord<int> _sleepers = region.SharedWord32(offset);

    /// <summary>Zero unless somebody sleeps; for callers that store the word.</summary>
    public SharedWord<int> Sleepers => _sleepers;

    /// <summary>Wakes all sleepers; costs one load where there are none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void NotifyWaiters<TMem>() where TMem : struct, ISharedMemory => NotifyWaiters<TMem>(ref _sleepers.Value, this);

    /// <summary>Overload for callers that have the sleepers' word already.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void NotifyWaiters<TMem>(ref int sleepers, EventCount word) where TMem : struct, ISharedMemory
    {
        TMem.WakerFence();
        if (TMem.Load(ref sleepers) != 0)
        {
            word.NotifyAll<TMem>();
        }
    }

    /// <summary>Wakes every sleeper, whether or not one has left its mark.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void NotifyAll<TMem>() where TMem : struct, ISharedMemory
    {
        TMem.Store(ref _sleepers.Value, 0);
        TMem.IncrementAndWake(ref region.Word32(offset + 4));
    }

    /// <summary>Leaves the sleeper's mark. The caller looks for work once more before it calls <see cref="Wait"/>.</summary>
    /// <returns>The ticket to sleep with.</returns>
    public int PrepareWait<TMem>() where TMem : struct, ISharedMemory
    {
        int ticket = Ticket<TMem>();
        Mark<TMem>();
        TMem.SleeperFence();
        return ticket;
    }

    /// <summary>The ticket to sleep with, for a sleeper that leaves its mark and fences by itself. It takes the ticket first.</summary>
    public int Ticket<TMem>() where TMem : struct, ISharedMemory => TMem.Load(ref region.Word32(offset + 4));

    /// <summary>Leaves the sleeper's mark. The caller fences, and may leave several marks before that.</summary>
    public void Mark<TMem>() where TMem : struct, ISharedMemory
    {
        // Wakers read this cache line with each message: a store without need would take it from their caches.
        if (TMem.Load(ref _sleepers.Value) == 0)
        {
            TMem.Store(ref _sleepers.Value, 1);
        }
    }

    /// <summary>The word and the value it must have, for a sleep on several words.</summary>
    public ExpectedWord Expecting(int ticket) => new(region.AddressOf(offset + 4), ticket);

    /// <summary>Sleeps in the kernel until a wake-up that came after <see cref="PrepareWait"/>, or the time is over.</summary>
    public void Wait<TMem>(int ticket, TimeSpan atMost) where TMem : struct, ISharedMemory =>
        TMem.Sleep(ref region.Word32(offset + 4), ticket, atMost < LongestSleep ? atMost : LongestSleep);
}
