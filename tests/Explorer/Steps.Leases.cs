using BlitQueue.Log;

namespace BlitQueue.Explorer;

/// <content>Leases that others may take over when they have lasted for too long.</content>
internal static partial class Steps
{
    /// <summary>Takes so many messages, each to consume it, unless it was lost to a time-out.</summary>
    public static Action<Seat> TakeAndCommit(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        for (int i = 0; i < times; i++)
        {
            if (leases.TryTake(out LeaseToken lease))
            {
                int message = ReadTaken(seat, cursor, lease);
                Commit(seat, leases, lease, message);
            }
        }
    };

    /// <summary>Takes a message and gives it back, unless it was lost to a time-out.</summary>
    public static Action<Seat> TakeAndAbandon => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (leases.TryTake(out LeaseToken lease))
        {
            int message = ReadTaken(seat, cursor, lease);
            GiveBack(seat, leases, lease, message);
        }
    };

    /// <summary>Takes a message and gives it back with a reason, unless it was lost to a time-out.</summary>
    public static Action<Seat> TakeAndExplain => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (leases.TryTake(out LeaseToken lease))
        {
            int message = ReadTaken(seat, cursor, lease);
            seat.Note(leases.TryAbandon(lease, 0, static _ => { }) ? NoteKind.Returned : NoteKind.Lost, message);
        }
    };

    /// <summary>Takes a message and leaves it to another thread of its process.</summary>
    public static Action<Seat> TakeAndLeave => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        if (seat.TimedLeases(cursor).TryTake(out LeaseToken lease))
        {
            ReadTaken(seat, cursor, lease);
        }
    };

    /// <summary>Gives back the message that another thread of the process has taken, unless it was lost to a time-out.</summary>
    public static Action<Seat> GiveBackTaken => seat =>
    {
        LeaseTable<SimMemory> leases = seat.TimedLeases(seat.Cursor());
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (seat.Subscription.Look<SimMemory>(cell) is { State: LeaseState.Leased } seen && seen.Holder == seat.Me)
            {
                leases.TryAbandon(new LeaseToken(cell, seen.Message, seen.Attempt));
            }
        }
    };

    /// <summary>
    /// Renews the lease that another thread of the process has taken, and gives the message back. Nobody takes a lease that was renewed
    /// before the clock has moved on.
    /// </summary>
    public static Action<Seat> RenewTaken => seat =>
    {
        LeaseTable<SimMemory> leases = seat.TimedLeases(seat.Cursor());
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            if (seat.Subscription.Look<SimMemory>(cell) is { State: LeaseState.Leased } seen && seen.Holder == seat.Me)
            {
                var lease = new LeaseToken(cell, seen.Message, seen.Attempt);
                long before = SimMemory.Milliseconds / StepRun.TickLength;
                if (leases.TryRenew(lease))
                {
                    Require(
                        leases.TryAbandon(lease) || SimMemory.Milliseconds / StepRun.TickLength != before,
                        "a lease that was renewed was lost before its time was over");
                }
            }
        }
    };

    /// <summary>Takes a message and consumes it by a transaction, which the slot decides.</summary>
    public static Action<Seat> TakeAndTransact => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (!leases.TryTake(out LeaseToken lease))
        {
            return;
        }
        int message = ReadTaken(seat, cursor, lease);
        if (!leases.TryMarkCommitting(lease))
        {
            seat.Note(NoteKind.Lost, message);
            return;
        }
        DecidedLease entry = leases.EntryOf("q", Guid.Empty, lease);
        seat.Note(NoteKind.Ending, message);
        SimMemory.Store(ref seat.Slot, entry.Message);
        seat.Note(NoteKind.Consumed, message);
        seat.Subscription.End<SimMemory>(entry);
        SimMemory.Store(ref seat.Slot, 0);
    };

    /// <summary>Takes a message for a transaction, which is then given up.</summary>
    public static Action<Seat> TakeAndRollBack => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (leases.TryTake(out LeaseToken lease))
        {
            int message = ReadTaken(seat, cursor, lease);
            if (leases.TryMarkCommitting(lease))
            {
                leases.Unmark(lease);
            }
            GiveBack(seat, leases, lease, message);
        }
    };

    /// <summary>
    /// How much higher a message's number is than that of the letter that it was. No multiple of 4: the ledger counts deliveries by the
    /// last two bits of a number.
    /// </summary>
    public const int Again = 17;

    /// <summary>Takes a letter and makes it a message again, unless it was lost to a time-out.</summary>
    public static Action<Seat> TakeAndRequeue => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (!leases.TryTake(out LeaseToken lease))
        {
            return;
        }
        int letter = ReadTaken(seat, cursor, lease);
        if (letter >= Again)
        {
            Commit(seat, leases, lease, letter);
            return;
        }
        seat.Note(NoteKind.Ending, letter);
        bool isMarked = Requeue(seat, leases, lease, letter);
        seat.Note(isMarked ? NoteKind.Returned : NoteKind.Lost, letter);
    };

    private static bool Requeue(Seat seat, LeaseTable<SimMemory> leases, in LeaseToken lease, int letter)
    {
        Appender<SimMemory> appender = seat.Appender();
        long bit = 1L << (letter + Again);
        seat.Note(NoteKind.Begun, bit);
        MessageText.Write(appender.Open(TimeSpan.MaxValue), letter + Again);
        if (!leases.TryMarkRequeueing(lease, appender.Position))
        {
            appender.ReleaseLock();
            seat.Note(NoteKind.Refused, bit);
            return false;
        }
        appender.Publish(MessageText.Length);
        seat.Note(NoteKind.Acknowledged, bit);
        leases.EndRequeued(lease);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        return true;
    }

    /// <summary>Goes back to the oldest message, for all consumers; then takes so many messages, each to consume it.</summary>
    public static Action<Seat> SeekAndCommit(int times) => seat =>
    {
        seat.Cursor().MoveTo(seat.Start);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        TakeAndCommit(times)(seat);
    };

    /// <summary>Takes a message, goes back to the oldest while it has it, consumes it and then so many others.</summary>
    public static Action<Seat> TakeSeekAndCommit(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        bool hasTaken = leases.TryTake(out LeaseToken lease);
        int message = hasTaken ? ReadTaken(seat, cursor, lease) : -1;
        cursor.MoveTo(seat.Start);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        if (hasTaken)
        {
            Commit(seat, leases, lease, message);
        }
        TakeAndCommit(times)(seat);
    };

    /// <summary>Takes a message and consumes it, goes back to the oldest and does the same again.</summary>
    public static Action<Seat> CommitSeekAndCommit => seat =>
    {
        TakeAndCommit(1)(seat);
        SeekAndCommit(1)(seat);
    };

    /// <summary>
    /// Takes a message as an asynchronous consumer: woken, or looking now and then, it takes only where that look found something.
    /// </summary>
    public static Action<Seat> SleepAndTake => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        while (true)
        {
            int ticket = seat.Control.Data.PrepareWait<SimMemory>();
            if (!leases.HasReturned && !cursor.TryFind(out _) && !leases.HasOrphan())
            {
                seat.Control.Data.Wait<SimMemory>(ticket, EventCount.LongestSleep);
                continue;
            }
            if (leases.TryTake(out LeaseToken lease))
            {
                Commit(seat, leases, lease, ReadTaken(seat, cursor, lease));
                return;
            }
        }
    };

    /// <summary>Carries out what the dead had decided; then consumes whatever is seen by who looks for those who sleep.</summary>
    public static Action<Seat> TakeWhatIsLeft => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.TimedLeases(cursor);
        if (Complete(seat))
        {
            SimMemory.Store(ref seat.Slot, 0);
        }
        while (leases.HasReturned || cursor.TryFind(out _) || leases.HasOrphan())
        {
            if (!leases.TryTake(out LeaseToken lease))
            {
                return;
            }
            Commit(seat, leases, lease, ReadTaken(seat, cursor, lease));
        }
    };

    /// <summary>Carries out what a process had decided that is dead, as others do too, and takes a message to consume it.</summary>
    public static Action<Seat> CompleteAndCommit(int decider) => seat =>
    {
        if (!seat.IsAlive(decider))
        {
            Complete(seat);
        }
        TakeAndCommit(1)(seat);
    };

    private static bool Complete(Seat seat)
    {
        long decided = SimMemory.Load(ref seat.Slot);
        for (int cell = 1; decided != 0 && cell <= SubscriptionFormat.Cells; cell++)
        {
            if (SimMemory.Load(ref seat.Subscription.Message(cell)) == decided)
            {
                seat.Subscription.End<SimMemory>(new DecidedLease("q", Guid.Empty, "s", cell, decided));
            }
        }
        return decided != 0;
    }

    private static void GiveBack(Seat seat, LeaseTable<SimMemory> leases, in LeaseToken lease, int message) =>
        seat.Note(leases.TryAbandon(lease) ? NoteKind.Returned : NoteKind.Lost, message);

    private static void Commit(Seat seat, LeaseTable<SimMemory> leases, in LeaseToken lease, int message)
    {
        seat.Note(NoteKind.Ending, message);
        seat.Note(leases.TryCommit(lease) ? NoteKind.Consumed : NoteKind.Lost, message);
    }

    private static int ReadTaken(Seat seat, Cursor<SimMemory> cursor, in LeaseToken lease)
    {
        int message = MessageText.Read(cursor.Reader.Payload(cursor.Reader.At(lease.Position)));
        Require(message >= 0, $"what was leased at {lease.Position} is no message");
        seat.Note(NoteKind.Taken, message | (lease.Attempt << 4));
        return message;
    }
}
