using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Explorer;

/// <summary>What simulated processes do: the calls that the queue's ends make, in their order, without message types.</summary>
internal static partial class Steps
{
    /// <summary>Appends messages one by one, in place.</summary>
    public static Action<Seat> Append(params int[] messages) => AppendEach(messages, AppendInPlace);

    /// <summary>Appends messages of a known length one by one, where that takes no more than a look, else in place.</summary>
    public static Action<Seat> AppendFixed(params int[] messages) => AppendEach(messages, static (appender, message) =>
    {
        if (appender.TryAcquireLock(SimMemory.ThreadId))
        {
            if (appender.GoesOn(MessageText.Length) || appender.TryFollow(MessageText.Length, long.MaxValue))
            {
                RecordSlot slot = appender.Slot;
                MessageText.Write(slot.Payload(MessageText.Length), message);
                appender.PublishAt(slot, MessageText.Length);
                return;
            }
            appender.ReleaseLock();
        }
        AppendInPlace(appender, message);
    });

    /// <summary>Appends a message, and the others behind it in one batch, packed where it stays.</summary>
    public static Action<Seat> AppendFixedTogether(int first, params int[] messages) => seat =>
    {
        Appender<SimMemory> appender = seat.Appender();
        seat.Note(NoteKind.Begun, 1L << first);
        AppendInPlace(appender, first);
        seat.Note(NoteKind.Acknowledged, 1L << first);
        long bits = messages.Sum(static message => 1L << message);
        seat.Note(NoteKind.Begun, bits);
        long start;
        while (!appender.TryOpenBatch(messages.Length, MessageText.Length, long.MaxValue, out start))
        {
            appender.Open(TimeSpan.MaxValue);
            appender.ReleaseLock();
        }
        long position = Appender<SimMemory>.FirstOfBatch(start);
        foreach (int message in messages)
        {
            Require(
                appender.TryGetSlotInBatch(position, MessageText.Length, out RecordSlot slot),
                "a record of an open batch has no slot");
            MessageText.Write(slot.Payload(MessageText.Length), message);
            appender.EndInBatch(in slot, position, MessageText.Length);
            position += RecordFormat.Extent(MessageText.Length);
        }
        appender.PublishBatch(start, position, messages.Length);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        seat.Note(NoteKind.Acknowledged, bits);
    };

    /// <summary>Appends messages that are packed already, all or none.</summary>
    public static Action<Seat> AppendTogether(params int[] messages) => seat =>
    {
        Appender<SimMemory> appender = seat.Appender();
        using StagedBatch staged = Stage(messages);
        long bits = messages.Sum(static message => 1L << message);
        seat.Note(NoteKind.Begun, bits);
        appender.Open(TimeSpan.MaxValue);
        AppendOutcome outcome = appender.PublishStaged(staged, out _, out _);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        seat.Note(outcome == AppendOutcome.Published ? NoteKind.Acknowledged : NoteKind.Refused, bits);
    };

    /// <summary>Appends, unless the append lock is another's: then it is told that nothing was enqueued.</summary>
    public static Action<Seat> AppendImpatiently(int message) => seat =>
    {
        Appender<SimMemory> appender = seat.Appender();
        seat.Note(NoteKind.Begun, 1L << message);
        if (!appender.TryOpen(WaitLimit.None, out Span<byte> room))
        {
            seat.Note(NoteKind.Refused, 1L << message);
            return;
        }
        MessageText.Write(room, message);
        appender.Publish(MessageText.Length);
        seat.Control.Data.NotifyWaiters<SimMemory>();
        seat.Note(NoteKind.Acknowledged, 1L << message);
    };

    /// <summary>Opens the record at the tail, writes into it and gives it up.</summary>
    public static Action<Seat> GiveUp(int message) => seat =>
    {
        Appender<SimMemory> appender = seat.Appender();
        Span<byte> room = appender.Open(TimeSpan.MaxValue);
        MessageText.Write(room, message);
        SimMemory.Written(room[..MessageText.Length]);
        appender.ReleaseLock();
    };

    /// <summary>Appends a message, brings the log to the disk, and is told that it is durable. The disk itself is not simulated.</summary>
    public static Action<Seat> AppendDurably(int message) => seat =>
    {
        Append(message)(seat);
        long end = SimMemory.Load(ref seat.Control.Tail);
        new DurableMark<SimMemory>(seat.Control).Raise(end);
    };

    /// <summary>Prepares a sleep, and does not sleep: its time is over, or somebody cancels the call.</summary>
    public static void MarkAndLeave(Seat seat) => seat.Control.Data.PrepareWait<SimMemory>();

    /// <summary>Says something in a word, and wakes those who sleep until something is said.</summary>
    public static void Say(Seat seat)
    {
        SimMemory.Store(ref seat.Slot, 1);
        seat.Control.Room.NotifyWaiters<SimMemory>();
    }

    /// <summary>
    /// Waits for a message and for what is said, as <see cref="MultiQueueWait"/> waits for several queues: a change of it has to be made
    /// here too.
    /// </summary>
    public static void ConsumeAndListen(Seat seat)
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        EventCount data = seat.Control.Data, room = seat.Control.Room;
        for (bool consumed = false, heard = false; !consumed || !heard;)
        {
            bool goesOn = (!consumed && (consumed = TryConsume(seat, cursor))) | (!heard && (heard = SimMemory.Load(ref seat.Slot) != 0));
            if (goesOn)
            {
                continue;
            }
            int ticket = data.Mark<SimMemory>(out bool isFenced), other = room.Mark<SimMemory>(out bool isOtherFenced);
            if (!(isFenced && isOtherFenced) && SimMemory.SleeperFence())
            {
                data.NoteFence<SimMemory>(ticket);
                room.NoteFence<SimMemory>(other);
            }
            if ((consumed || !cursor.TryFind(out _)) && (heard || SimMemory.Load(ref seat.Slot) == 0))
            {
                SimMemory.SleepOnEither(ref data.Word.Value, ticket, ref room.Word.Value, other);
            }
        }
    }

    /// <summary>Consumes so many messages, sleeping where there is none.</summary>
    public static Action<Seat> Consume(int count) => seat => Consume(seat, seat.Cursor(), count);

    /// <summary>Likewise, of those that are durable.</summary>
    public static Action<Seat> ConsumeDurable(int count) => seat => Consume(seat, seat.DurableCursor(), count);

    private static void Consume(Seat seat, Cursor<SimMemory> cursor, int count)
    {
        for (int i = 0; i < count; i++)
        {
            while (!TryConsume(seat, cursor))
            {
                int ticket = seat.Control.Data.PrepareWait<SimMemory>();
                if (!cursor.TryFind(out _))
                {
                    seat.Control.Data.Wait<SimMemory>(ticket, EventCount.LongestSleep);
                }
            }
        }
    }

    /// <summary>Looks for a message of a known length so many times, and consumes what is there.</summary>
    public static Action<Seat> TryConsumeFixed(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        for (int i = 0; i < times; i++)
        {
            if (!TryConsumeFixed(seat, cursor))
            {
                TryConsume(seat, cursor);
            }
        }
    };

    /// <summary>Looks for a message so many times, and consumes what is there.</summary>
    public static Action<Seat> TryConsume(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        for (int i = 0; i < times; i++)
        {
            TryConsume(seat, cursor);
        }
    };

    /// <summary>Takes so many messages without consuming them, then consumes each; looks so many times.</summary>
    public static Action<Seat> LeaseAndCommit(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.Leases(cursor);
        for (int i = 0; i < times; i++)
        {
            if (leases.TryTake(out LeaseToken lease))
            {
                int message = ReadLeased(seat, cursor, lease);
                Require(leases.TryCommit(lease), "a lease ended by itself");
                seat.Note(NoteKind.Consumed, message);
            }
        }
    };

    /// <summary>Takes a message and gives it back.</summary>
    public static Action<Seat> LeaseAndAbandon(int times) => seat =>
    {
        Cursor<SimMemory> cursor = seat.Cursor();
        LeaseTable<SimMemory> leases = seat.Leases(cursor);
        for (int i = 0; i < times; i++)
        {
            if (leases.TryTake(out LeaseToken lease))
            {
                int message = ReadLeased(seat, cursor, lease);
                // Before it is: from then on it may be another's.
                seat.Note(NoteKind.Returned, message);
                Require(leases.TryAbandon(lease), "a lease ended by itself");
            }
        }
    };

    private static Action<Seat> AppendEach(int[] messages, Action<Appender<SimMemory>, int> append) => seat =>
    {
        Appender<SimMemory> appender = seat.Appender();
        foreach (int message in messages)
        {
            seat.Note(NoteKind.Begun, 1L << message);
            append(appender, message);
            seat.Control.Data.NotifyWaiters<SimMemory>();
            seat.Note(NoteKind.Acknowledged, 1L << message);
        }
    };

    private static void AppendInPlace(Appender<SimMemory> appender, int message)
    {
        MessageText.Write(appender.Open(TimeSpan.MaxValue), message);
        appender.Publish(MessageText.Length);
    }

    private static int ReadLeased(Seat seat, Cursor<SimMemory> cursor, in LeaseToken lease)
    {
        int message = MessageText.Read(cursor.Reader.Payload(cursor.Reader.At(lease.Position)));
        Require(message >= 0, $"what was leased at {lease.Position} is no message");
        seat.Note(NoteKind.Delivered, message);
        return message;
    }

    private static bool TryConsumeFixed(Seat seat, Cursor<SimMemory> cursor)
    {
        long nextWord = cursor.NextWord;
        long position = SubscriptionFormat.Position(nextWord);
        if (!cursor.IsUnleased(nextWord) || !cursor.Reader.TryGetSlot(position, MessageText.Length, out RecordSlot slot)
            || !cursor.Reader.HasRecord(slot, position, MessageText.Length))
        {
            return false;
        }
        int message = MessageText.Read(slot.Payload(MessageText.Length));
        if (!cursor.TryConsumeWithin(nextWord, position + RecordFormat.Extent(MessageText.Length)))
        {
            return false;
        }
        cursor.WakeWriters();
        Require(message >= 0, $"what was consumed at {position} is no message");
        seat.Note(NoteKind.Consumed, message);
        return true;
    }

    private static bool TryConsume(Seat seat, Cursor<SimMemory> cursor)
    {
        while (cursor.TryFind(out RecordRef found))
        {
            int message;
            try
            {
                message = MessageText.Read(cursor.Reader.Payload(found));
            }
            catch (QueueCorruptException)
            {
                // Another consumer may have taken it meanwhile: then its bytes may be anything.
                if (cursor.IsStillNext(found))
                {
                    throw;
                }
                continue;
            }
            if (cursor.TryConsume(found))
            {
                Require(message >= 0, $"what was consumed at {found.Position} is no message");
                seat.Note(NoteKind.Consumed, message);
                return true;
            }
        }
        return false;
    }

    private static StagedBatch Stage(int[] messages)
    {
        var staged = StagedBatch.Rent();
        Span<byte> payload = stackalloc byte[MessageText.Length];
        foreach (int message in messages)
        {
            MessageText.Write(payload, message);
            staged.Add(payload);
        }
        return staged;
    }

    private static void Require(bool isMet, string otherwise)
    {
        if (!isMet)
        {
            throw new InvalidOperationException(otherwise);
        }
    }
}
