using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// What a transaction sends to one queue, through the handle that it used first, and the state of the commit in this queue.
/// </summary>
internal sealed class TransactionOutput(ITransactionTarget first, StagedBatch batch)
{
    // If a holder needs the append lock for longer, the commit releases the other queues' locks before it waits: so appends and commits to
    // those queues wait 50 ms at most.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private readonly List<ITransactionTarget> _targets = [first];
    private PendingAppend? _pending;
    private long _position;
    private bool _hasAppendLock;

    public ITransactionTarget Target => first;

    /// <summary>All handles of the queue through which messages were sent: the strictest of their options counts.</summary>
    public List<ITransactionTarget> Targets => _targets;

    /// <summary>The one of them that finds no room and decides what to do then: one that fails, before those that wait.</summary>
    public ITransactionTarget? Full { get; private set; }

    public StagedBatch Batch => batch;

    /// <summary>How many bytes of log the messages take.</summary>
    public long Extent { get; private set; }

    /// <summary>The queue's name in its store.</summary>
    public string Queue => first.Store.Transactions.Name;

    /// <summary>The index up to which segments must be made before another attempt.</summary>
    public long NeededSegment { get; private set; }

    /// <summary>The first message's position: of several, or of a long one, behind the record that announces them.</summary>
    public long First => _pending!.Value.First;

    public DecidedOutput Entry => new(
        Queue, first.Store.Meta.Id, _pending!.Value.Position, _pending.Value.Header, _pending.Value.End);

    /// <summary>Adds a handle through which messages were sent, too.</summary>
    public void Add(ITransactionTarget target)
    {
        if (!_targets.Contains(target))
        {
            _targets.Add(target);
        }
    }

    /// <summary>Shows progress to those that wait for the queue's append lock.</summary>
    public void ShowWork() => MachineMemory.Increment(ref first.Store.Control.Progress);

    /// <summary>Acquires the queue's append lock.</summary>
    /// <returns>false if its holder needs it for longer.</returns>
    public bool TryAcquireLock() => _hasAppendLock = first.Appender.TryOpen(WaitLimit.AtMost(Patience), out _);

    /// <summary>Writes the messages behind a zero header.</summary>
    public AppendOutcome TryWrite()
    {
        _targets.ForEach(target => target.RequireFits(batch));
        Extent = first.Appender.Extent(batch);
        _position = first.Appender.Position;
        Full = FirstFull(target => !target.MayHaveRoomAt(_position, Extent));
        if (Full is not null)
        {
            return AppendOutcome.NoRoom;
        }
        _targets.ForEach(target => target.Stamp(batch));
        if (!first.Appender.TryWrite(batch, out PendingAppend pending, out long neededSegment))
        {
            NeededSegment = neededSegment;
            return AppendOutcome.NeedsSegment;
        }
        _pending = pending;
        return AppendOutcome.Published;
    }

    /// <summary>Drops the oldest messages if the written ones need their room.</summary>
    /// <returns>false if there still is no room.</returns>
    public bool TryMakeRoom()
    {
        Full = FirstFull(target => !target.TryMakeRoomAt(_position, Extent));
        return Full is null;
    }

    private ITransactionTarget? FirstFull(Predicate<ITransactionTarget> isFull) =>
        _targets.Find(target => target.FailsWhenFull && isFull(target)) ?? _targets.Find(isFull);

    /// <summary>Makes the messages visible and releases the append lock: the transaction is decided.</summary>
    public void Publish()
    {
        first.Appender.PublishWritten(_pending!.Value);
        first.Appender.ReleaseLock();
    }

    /// <summary>Releases the append lock, if it is held; nothing was enqueued.</summary>
    public void Undo()
    {
        if (_pending is { } pending)
        {
            first.Appender.Abandon(pending);
            _pending = null;
        }
        if (_hasAppendLock)
        {
            _hasAppendLock = false;
            first.Appender.ReleaseLock();
        }
    }
}
