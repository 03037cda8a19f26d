using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// A word by which participants sleep until another wakes them: a mark in its lower half, which is zero while no thread sleeps and none has
/// slept lately, and a ticket in its upper half, which each wake-up counts.
/// </summary>
/// <remarks>
/// SYNC POINT sleeper/waker: the sleeper leaves its mark, fences, then looks for work; the waker publishes work, fences, then loads the
/// mark. So either the waker sees the mark or the sleeper sees the work. Who pays for the two fences, the mark says:
/// <list type="bullet">
/// <item>While it is zero, wakers do not fence. The first sleeper fences every process (<see cref="ISharedMemory.SleeperFence"/>).</item>
/// <item>While it is not zero, each waker that sees it fences itself and looks once more. Once a heavy fence has come behind the mark,
/// every waker either sees the mark or had published before. Then the sleeper adds <see cref="Fenced"/>, and from now on a sleeper fences
/// itself alone: a heavy fence interrupts the waker's processor, which just then has something to do.</item>
/// <item>A waker that has fenced for nothing again and again makes the mark zero.</item>
/// </list>
/// <see cref="Asleep"/> is only taken away together with a new ticket. So a sleeper that finds its own ticket behind its heavy fence knows
/// that the mark was there all the time. A waker that dies between its publication and its wake-up costs the sleeper
/// <see cref="LongestSleep"/> at most, and longer where many threads of a process sleep (<see cref="BeginSleep"/>).
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

    // Of the mark: a thread sleeps; and wakers fence, so that a sleeper need not fence them.
    private const long Asleep = 1, Fenced = 2;
    private const int TicketShift = 32;

    // A heavy fence takes as long as hundreds of a waker's own.
    private const int MostForNothing = 256;

    private readonly SharedWord<long> _word = region.SharedWord(offset);
    private int _forNothing;

    /// <summary>The word, for callers that store where it is.</summary>
    public SharedWord<long> Word => _word;

    /// <summary>Whether a sleeper has left its mark and was not woken.</summary>
    public bool IsSleptOn => (MachineMemory.Load(ref _word.Value) & Asleep) != 0;

    /// <summary>Wakes all sleepers; costs one load where there are none, and none were there lately.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void NotifyWaiters<TMem>() where TMem : struct, ISharedMemory => NotifyWaiters<TMem>(ref _word.Value, this);

    /// <summary>Overload for callers that have the word already.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void NotifyWaiters<TMem>(ref long word, EventCount count) where TMem : struct, ISharedMemory
    {
        TMem.WakerFence();
        if ((int)TMem.Load(ref word) != 0)
        {
            count.NotifyMarked<TMem>();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NotifyMarked<TMem>() where TMem : struct, ISharedMemory
    {
        TMem.Fence();
        long seen = TMem.Load(ref _word.Value);
        if ((seen & Asleep) != 0)
        {
            WakeFrom<TMem>(seen);
        }
        else if ((int)seen != 0 && TMem.IsEnough(ref _forNothing, MostForNothing))
        {
            TMem.CompareExchange(ref _word.Value, Upper(TicketOf(seen)), seen);
        }
    }

    /// <summary>Wakes every sleeper, whether or not one has left its mark.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void NotifyAll<TMem>() where TMem : struct, ISharedMemory => WakeFrom<TMem>(TMem.Load(ref _word.Value));

    private void WakeFrom<TMem>(long seen) where TMem : struct, ISharedMemory
    {
        long was;
        while ((was = TMem.CompareExchange(ref _word.Value, (seen & Fenced) | Upper(TicketOf(seen) + 1), seen)) != seen)
        {
            seen = was;
        }
        TMem.Wake(ref _word.Value, TicketOf(seen));
    }

    private static int TicketOf(long word) => (int)(word >> TicketShift);

    private static long Upper(int ticket) => (long)ticket << TicketShift;

    /// <summary>Leaves the sleeper's mark. The caller looks for work once more before it calls <see cref="Wait"/>.</summary>
    /// <returns>The ticket to sleep with.</returns>
    public int PrepareWait<TMem>() where TMem : struct, ISharedMemory
    {
        int ticket = Mark<TMem>(out bool isFenced);
        if (!isFenced && TMem.SleeperFence())
        {
            NoteFence<TMem>(ticket);
        }
        return ticket;
    }

    /// <summary>The ticket to sleep with, for a thread that leaves no mark.</summary>
    public int Ticket<TMem>() where TMem : struct, ISharedMemory => TicketOf(TMem.Load(ref _word.Value));

    /// <summary>
    /// Leaves the sleeper's mark, for a caller that fences by itself: it may leave several marks before that, and calls
    /// <see cref="NoteFence"/> for each afterwards.
    /// </summary>
    /// <param name="isFenced">Whether no fence is needed any more.</param>
    /// <returns>The ticket to sleep with.</returns>
    public int Mark<TMem>(out bool isFenced) where TMem : struct, ISharedMemory
    {
        long seen = TMem.Load(ref _word.Value);
        while ((seen & Asleep) == 0)
        {
            long was = TMem.CompareExchange(ref _word.Value, seen | Asleep, seen);
            if (was == seen)
            {
                isFenced = (seen & Fenced) != 0;
                return TicketOf(seen);
            }
            seen = was;
        }
        // Another sleeper's mark will do: wakers read this cache line with each message, and a write would take it from their caches. An
        // exchange would have been the fence.
        isFenced = (seen & Fenced) != 0;
        if (isFenced)
        {
            TMem.Fence();
        }
        return TicketOf(seen);
    }

    /// <summary>Says that a heavy fence has come behind the mark, so that the sleepers that follow need none.</summary>
    public void NoteFence<TMem>(int ticket) where TMem : struct, ISharedMemory =>
        TMem.CompareExchange(ref _word.Value, Upper(ticket) | Asleep | Fenced, Upper(ticket) | Asleep);

    /// <summary>The word and the value it must have, for a sleep on several words.</summary>
    public ExpectedWord Expecting(int ticket) => new(region.AddressOf(offset + sizeof(int)), ticket);

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
            TMem.Sleep(ref _word.Value, ticket, length);
        }
        finally
        {
            EndSleep();
        }
    }
}
