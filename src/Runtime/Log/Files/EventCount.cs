using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Two words by which participants sleep until another wakes them. A waker looks at one of them, which is zero unless somebody sleeps.
/// </summary>
/// <remarks>
/// SYNC POINT sleeper/waker: the sleeper stores its mark, fences every process (<see cref="ISharedMemory.SleeperFence"/>), then looks for
/// work; the waker publishes work, then loads the mark. So either the waker sees the mark or the sleeper sees the work. A waker that dies
/// between its publication and its wake-up costs the sleeper <see cref="LongestSleep"/> at most, and longer where many threads of a process
/// sleep (<see cref="BeginSleep"/>).
/// </remarks>
internal sealed class EventCount(MappedRegion region, long offset)
{
    /// <summary>After this time a sleeper looks again by itself, in case its waker was killed.</summary>
    public static readonly TimeSpan LongestSleep = TimeSpan.FromMilliseconds(50);

    /// <summary>The same where eighty threads of a process sleep, or more.</summary>
    public static readonly TimeSpan LongestOfMany = TimeSpan.FromSeconds(1);

    // So many threads of a process may look as often as one.
    private const int Few = 4;

    // How many sleeps this process has begun and ended.
    private static long Begun, Ended;

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

    /// <summary>
    /// Begins a sleep of a thread of this process, and gives its length. Threads that look again by themselves are a load even while
    /// nothing happens, so the more of them sleep, the longer each does: together they look as often as four threads would, up to
    /// <see cref="LongestOfMany"/>.
    /// </summary>
    /// <param name="atMost">When the caller gives up.</param>
    public static TimeSpan BeginSleep(TimeSpan atMost)
    {
        MachineMemory.Increment(ref Begun);
        TimeSpan longest = LongestAmong(MachineMemory.Load(ref Begun) - MachineMemory.Load(ref Ended));
        return atMost < longest ? atMost : longest;
    }

    /// <summary>The longest sleep of one of so many.</summary>
    public static TimeSpan LongestAmong(long sleeping)
    {
        TimeSpan longest = LongestSleep * Math.Max(1, (double)sleeping / Few);
        return longest < LongestOfMany ? longest : LongestOfMany;
    }

    /// <summary>The sleep that <see cref="BeginSleep"/> began is over.</summary>
    public static void EndSleep() => MachineMemory.Increment(ref Ended);

    /// <summary>Sleeps in the kernel until a wake-up that came after <see cref="PrepareWait"/>, or the time is over.</summary>
    public void Wait<TMem>(int ticket, TimeSpan atMost) where TMem : struct, ISharedMemory
    {
        TimeSpan length = BeginSleep(atMost);
        try
        {
            TMem.Sleep(ref region.Word32(offset + 4), ticket, length);
        }
        finally
        {
            EndSleep();
        }
    }
}
