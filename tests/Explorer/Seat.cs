using BlitQueue.Calls;
using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue.Explorer;

/// <summary>What a simulated process has open: a place of its own in the queue, objects of its own over the shared files.</summary>
internal sealed class Seat(QueueBench bench, int actor, StepRun run)
{
    private readonly Participant _self = bench.Participants[actor];

    public ControlFile Control => bench.Control;

    public Appender<SimMemory> Appender() => new(
        bench.Control, _self, bench.Table, bench.Allocator, bench.Meta, AppendLockWait(), bench.Transactions);

    public AppendLockWait<SimMemory> AppendLockWait() => new(bench.Control, _self, bench.Files);

    public Cursor<SimMemory> Cursor() => new(
        bench.Subscription, new RecordReader<SimMemory>(bench.Table, bench.Meta), bench.Allocator, bench.Control);

    /// <summary>A cursor that finds only what is durable.</summary>
    public Cursor<SimMemory> DurableCursor()
    {
        var mark = new DurableMark<SimMemory>(bench.Control);
        mark.AskForWakeUps();
        return new Cursor<SimMemory>(
            bench.Subscription, new RecordReader<SimMemory>(bench.Table, bench.Meta, limit: () => mark.Position), bench.Allocator,
            bench.Control);
    }

    public LeaseTable<SimMemory> Leases(Cursor<SimMemory> cursor)
        => new(bench.Subscription, cursor, bench.Control, _self, bench.Transactions);

    /// <summary>
    /// Leases that last half as long as from one tick of the clock to the next, and transactions that the bench's slot decides.
    /// </summary>
    public LeaseTable<SimMemory> TimedLeases(Cursor<SimMemory> cursor) => new(
        bench.Subscription, cursor, bench.Control, _self, new SlotWord(bench), TimeSpan.FromMilliseconds(StepRun.TickLength / 2),
        isRequeued: IsRequeued);

    /// <summary>The lock of a shared object.</summary>
    public OwnerLock<SimMemory> OwnerLock() => new(bench.Control, _self, bench.Gate, "shared");

    public ReadWriteLock<SimMemory> ReadWriteLock(OwnerLock<SimMemory> writer)
        => new(bench.Control, _self, bench.LocksOf(actor), writer);

    /// <summary>A shared value.</summary>
    public ValueCells<SharedPair, SimMemory> Value() => new(
        bench.Region, ControlFormat.ValueVersionOffset, QueueBench.SharedDataOffset, Blit.SizeOf<SharedPair>());

    /// <summary>A word of a shared object's data.</summary>
    public ref long SharedWord(int index) => ref bench.Region.Word(QueueBench.SharedDataOffset + (index * sizeof(long)));

    /// <summary>The word of a call.</summary>
    public RpcCell<SimMemory> Call() => new(bench.Region.SharedWord(QueueBench.SharedDataOffset));

    /// <summary>The word of answers that a client's tasks wait for.</summary>
    public RpcHints<SimMemory> Hints() => new(
        bench.Region.SharedWord(QueueBench.SharedDataOffset + (5 * sizeof(long))), 1,
        bench.Region.SharedWord(QueueBench.SharedDataOffset + (6 * sizeof(long))));

    public RpcAnswered<SimMemory> Answered() => new(bench.Region.SharedWord(QueueBench.SharedDataOffset + (4 * sizeof(long))));

    public bool IsOwnerAlive(long owner) => _self.IsAlive<SimMemory>(owner);

    public SubscriptionFile Subscription => bench.Subscription;

    /// <summary>Where the oldest message is.</summary>
    public long Start => bench.Start;

    public ref long Slot => ref bench.Slot;

    public bool IsAlive(int process) => run.IsAlive(StoreFormat.FirstParticipantLock + process);

    public long Me => _self.OwnerWord;

    public ref long NamingHold => ref bench.Control.HoldWord(actor, ControlFormat.NamingHoldOffset).Value;

    public ref long SeekHold => ref bench.Control.HoldWord(actor, ControlFormat.SeekHoldOffset).Value;

    /// <summary>A word that stands for a segment's file.</summary>
    public ref long FileOf(long index) => ref bench.FileOf(index);

    public long SegmentOf(long nextWord) => SubscriptionFormat.Position(nextWord) / bench.Meta.SegmentSize;

    public long StartOf(long segment) => SubscriptionFormat.NextWord(bench.Meta.FirstOf(segment), 0);

    /// <summary>The first segment that a living process holds.</summary>
    public long FirstHeld()
    {
        long first = long.MaxValue;
        for (int index = 0; index < bench.Participants.Length; index++)
        {
            foreach (int offset in (ReadOnlySpan<int>)[ControlFormat.SeekHoldOffset, ControlFormat.NamingHoldOffset])
            {
                long held = SimMemory.Load(ref bench.Control.HoldWord(index, offset).Value);
                if (held > 0 && (index == actor || run.IsAlive(StoreFormat.FirstParticipantLock + index)))
                {
                    first = Math.Min(first, held - 1);
                }
            }
        }
        return first;
    }

    // As the consumer of dead letters does; the letters and their queue are one log here.
    private bool? IsRequeued(in LeaseCell letter, Action? ifNot)
    {
        Appender<SimMemory> appender = Appender();
        if (!appender.TryOpen(WaitLimit.None, out _))
        {
            return null;
        }
        bool isMessage = HasMessageOf(letter);
        if (!isMessage)
        {
            ifNot?.Invoke();
        }
        appender.ReleaseLock();
        return isMessage;
    }

    private bool HasMessageOf(in LeaseCell letter)
    {
        var reader = new RecordReader<SimMemory>(bench.Table, bench.Meta);
        int message = MessageText.Read(reader.Payload(reader.At(letter.Position)));
        long target = SimMemory.Load(ref bench.Subscription.Target(letter.Number));
        return reader.TryFind(SubscriptionFormat.NextWord(target, 0), out RecordRef found)
            && MessageText.Read(reader.Payload(found)) == message + Steps.Again;
    }

    private sealed class SlotWord(QueueBench bench) : ICommittedTransactions
    {
        public long HeaderAt(long position) => 0;

        public bool Consumes(string subscription, int cell, long message) => SimMemory.Load(ref bench.Slot) == message;
    }

    /// <summary>Tells the scenario about one message, or several as bits.</summary>
    public void Note(NoteKind kind, long value) => run.Note(kind, value);
}
