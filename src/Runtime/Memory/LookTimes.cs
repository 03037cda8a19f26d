namespace BlitQueue.Memory;

/// <summary>
/// When each of those who wait for a lock looks at it next: one after the other, a millisecond apart, in the order in which they came.
/// </summary>
/// <remarks>
/// <para>If each of many waiters looked each millisecond, their looks would take every processor, and the holder would get none: 128
/// processes on two processors then appended three hundred times less than one. So a waiter adds a millisecond to a shared word, and sleeps
/// until the time that it finds there. All looks together take as much as those of one waiter, however many there are.</para>
/// <para>The word only says when somebody looks, and never who has the lock. So any value of it is harmless: one that lies further ahead
/// than <see cref="Longest"/>, as a damaged file or a clock that began anew has it, counts as none. A waiter that was killed leaves a
/// millisecond without a look.</para>
/// </remarks>
/// <param name="word">Its lower half is the time of the last look that was given out, microseconds; its upper half counts wake-ups.</param>
/// <param name="owner">The lock's word: 0 while it is free.</param>
/// <param name="work">A word that changes with all work under the lock.</param>
internal sealed class LookTimes(SharedWord<long> word, SharedWord<long> owner, SharedWord<long> work)
{
    /// <summary>How far apart two looks are, microseconds.</summary>
    public const int Interval = 1000;

    /// <summary>A waiter looks at least as often, microseconds. More than 250 of them look more often together.</summary>
    public const int Longest = 250 * Interval;

    // So many waiters who sleep are a crowd. Fewer may as well be some whose holder lost its processor for a moment.
    private const int Crowd = 4;

    // About two microseconds: an appender that is at work appends many times meanwhile.
    private const int IdleSpin = 50;

    private const int TicketShift = 32;

    /// <summary>
    /// Whether so many wait already that one more does better not to spin: then the one who has the lock can work undisturbed until it is
    /// the next one's time.
    /// </summary>
    public bool IsCrowded => Ahead(MachineMemory.Load(ref word.Value), Now) >= Crowd * Interval;

    /// <summary>Sleeps until the caller is to look again: a millisecond where no other waits.</summary>
    /// <param name="atMost">When the caller gives up.</param>
    public void Rest(TimeSpan atMost)
    {
        var length = TimeSpan.FromMicroseconds(TakeNext(out int ticket));
        MachineMemory.Sleep(ref word.Value, ticket, length < atMost ? length : atMost);
        if (IsIdle())
        {
            WakeRest();
        }
    }

    // How long it is until the time that the caller takes for itself, microseconds.
    private int TakeNext(out int ticket)
    {
        for (long seen = MachineMemory.Load(ref word.Value); ;)
        {
            int now = Now, ahead = Math.Min(Ahead(seen, now) + Interval, Longest);
            ticket = TicketOf(seen);
            long was = MachineMemory.CompareExchange(ref word.Value, WordOf(ticket, now + ahead), seen);
            if (was == seen)
            {
                return ahead;
            }
            seen = was;
        }
    }

    // Whether the lock is free and stays so: then those who sleep need not wait for their time.
    private bool IsIdle()
    {
        long before = MachineMemory.Load(ref work.Value);
        if (MachineMemory.Load(ref owner.Value) == 0)
        {
            Thread.SpinWait(IdleSpin);
        }
        return MachineMemory.Load(ref owner.Value) == 0 && MachineMemory.Load(ref work.Value) == before;
    }

    // If the word changes meanwhile, another has begun to wait, or has woken them.
    private void WakeRest()
    {
        long seen = MachineMemory.Load(ref word.Value);
        int now = Now, ticket = TicketOf(seen);
        if (Ahead(seen, now) > 0 && MachineMemory.CompareExchange(ref word.Value, WordOf(ticket + 1, now), seen) == seen)
        {
            MachineMemory.Wake(ref word.Value, ticket);
        }
    }

    // Microseconds; 0 where the time in the word has passed or cannot be right.
    private static int Ahead(long seen, int now) => (int)seen - now is > 0 and <= Longest and var ahead ? ahead : 0;

    private static int TicketOf(long seen) => (int)(seen >> TicketShift);

    private static long WordOf(int ticket, int time) => ((long)ticket << TicketShift) | (uint)time;

    // Of a clock that all processes share. It wraps; only differences of two times count.
    private static int Now => (int)(Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond);
}
