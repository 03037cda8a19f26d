namespace BlitQueue.Memory;

/// <summary>
/// Back-off of those who wait for a lock, with a slot for each: a time at which it alone looks at the lock again, in the order in which
/// they came.
/// </summary>
/// <remarks>
/// <para>If each of many waiters looked each millisecond, their looks would take every processor, and the holder would get none: 128
/// processes on two processors then appended three hundred times less than one. So a waiter takes the slot behind the last one in a shared
/// word, and sleeps until then. All looks together take as much as those of one waiter, however many there are.</para>
/// <para>A slot is as long as the system lets a thread run undisturbed: the one who gets the lock in it works alone until the next slot,
/// with the lines of the log in its own cache. And each waiter gets as much of the lock as the others.</para>
/// <para>Who finds the lock idle in its slot does not wake the others: a producer of a crowd may have lost its processor between two
/// appends. After <see cref="IdleSlots"/> such slots in a row there is no crowd any more, and all are woken.</para>
/// <para>The word only says when a waiter looks, and never who has the lock. So any value of it is harmless: one that lies further ahead
/// than <see cref="Longest"/>, as a damaged file or a clock that began anew has it, counts as none. A waiter that was killed leaves a slot
/// without a look. The time wraps every 71 minutes: an old one may then be taken for one of the next half second.</para>
/// </remarks>
/// <param name="word">
/// Its lower half is the last slot that was given out, microseconds, in whose two lowest bits stands how many slots in a row found the lock
/// idle; its upper half counts wake-ups.
/// </param>
/// <param name="isFree">Whether no thread has the lock.</param>
/// <param name="work">A word that changes with all work under the lock.</param>
internal sealed class SlottedBackoff(SharedWord<long> word, Func<bool> isFree, SharedWord<long> work)
{
    /// <summary>The length of a slot of a crowd, microseconds.</summary>
    public const int CrowdSlot = 3000;

    /// <summary>The length of a slot where fewer wait, microseconds.</summary>
    public const int Slot = 1000;

    /// <summary>A waiter looks at least as often, microseconds. More than some 160 of them share their slots.</summary>
    public const int Longest = 500_000;

    /// <summary>After so many slots in a row that find the lock idle, all who wait are woken.</summary>
    public const int IdleSlots = 4;

    /// <summary>
    /// Some so many waiters who sleep are a crowd. Fewer may as well be some whose holder lost its processor for a moment.
    /// </summary>
    public const int Crowd = 4;

    // About two microseconds: an appender that is at work appends many times meanwhile.
    private const int IdleSpin = 50;

    // How soon a cancellation is seen.
    private static readonly TimeSpan Piece = TimeSpan.FromMilliseconds(20);

    private const int TicketShift = 32, IdleMask = IdleSlots - 1;

    /// <summary>
    /// Whether so many wait already that one more does better not to spin: then the one who has the lock can work undisturbed until the
    /// next one's slot.
    /// </summary>
    public bool IsCrowded => Ahead(MachineMemory.Load(ref word.Value), Now) >= Crowd * Slot;

    /// <summary>
    /// Sleeps until the caller's slot: a millisecond where no other waits. Who cannot wait so long takes no slot, which would stay without
    /// a look, and sleeps as long as it can.
    /// </summary>
    /// <param name="atMost">How long the caller can sleep.</param>
    /// <param name="token">Ends the sleep soon.</param>
    public void Rest(TimeSpan atMost, CancellationToken token)
    {
        TimeSpan left = Min(TakeSlot(atMost, out int ticket), atMost);
        for (long began = Stopwatch.GetTimestamp(); ;)
        {
            TimeSpan length = left - Stopwatch.GetElapsedTime(began), piece = token.CanBeCanceled ? Min(length, Piece) : length;
            if (piece > TimeSpan.Zero)
            {
                MachineMemory.Sleep(ref word.Value, ticket, piece);
            }
            if (piece == length || token.IsCancellationRequested || TicketOf(MachineMemory.Load(ref word.Value)) != ticket)
            {
                break;
            }
        }
        if (HasBeenIdle())
        {
            WakeRest();
        }
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;

    // How long it is until the slot that the caller takes.
    private TimeSpan TakeSlot(TimeSpan atMost, out int ticket)
    {
        for (long seen = MachineMemory.Load(ref word.Value); ;)
        {
            int now = Now, others = Ahead(seen, now);
            int ahead = Math.Min(others + (others < Crowd * Slot ? Slot : CrowdSlot), Longest);
            var length = TimeSpan.FromMicroseconds(ahead);
            ticket = TicketOf(seen);
            if (length > atMost && others > 0)
            {
                return length;
            }
            // Where none waits, what earlier slots found counts no more.
            long was = MachineMemory.CompareExchange(
                ref word.Value, WordOf(ticket, now + ahead, others > 0 ? IdleOf(seen) : 0), seen);
            if (was == seen)
            {
                return length;
            }
            seen = was;
        }
    }

    // Whether this slot and those before it have found the lock idle; else it is noted what this one has found.
    private bool HasBeenIdle()
    {
        bool isIdle = IsIdle();
        for (long seen = MachineMemory.Load(ref word.Value); ;)
        {
            int idle = isIdle ? IdleOf(seen) + 1 : 0;
            if (idle == IdleSlots || idle == IdleOf(seen))
            {
                return idle == IdleSlots;
            }
            long was = MachineMemory.CompareExchange(ref word.Value, WordOf(TicketOf(seen), (int)seen, idle), seen);
            if (was == seen)
            {
                return false;
            }
            seen = was;
        }
    }

    // Whether the lock is free and stays so for a moment.
    private bool IsIdle()
    {
        long before = MachineMemory.Load(ref work.Value);
        if (isFree())
        {
            Thread.SpinWait(IdleSpin);
        }
        return isFree() && MachineMemory.Load(ref work.Value) == before;
    }

    // If the word changes meanwhile, another has begun to wait, or has woken them.
    private void WakeRest()
    {
        long seen = MachineMemory.Load(ref word.Value);
        int now = Now, ticket = TicketOf(seen);
        if (Ahead(seen, now) > 0
            && MachineMemory.CompareExchange(ref word.Value, WordOf(ticket + 1, now, idle: 0), seen) == seen)
        {
            MachineMemory.Wake(ref word.Value, ticket);
        }
    }

    // Microseconds; 0 where the slot in the word has passed or cannot be right.
    private static int Ahead(long seen, int now) => ((int)seen & ~IdleMask) - now is > 0 and <= Longest and var ahead ? ahead : 0;

    private static int TicketOf(long seen) => (int)(seen >> TicketShift);

    private static int IdleOf(long seen) => (int)seen & IdleMask;

    private static long WordOf(int ticket, int slot, int idle) =>
        ((long)ticket << TicketShift) | (uint)((slot & ~IdleMask) | idle);

    // Of a clock that all processes share. It wraps; only differences of two times count.
    private static int Now => (int)(Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond);
}
