using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>What a transaction sends to one queue, by the handle that it named first, and how far its commit has come there.</summary>
internal sealed class TransactionOutput(ITransactionTarget first, StagedBatch batch)
{
    // A holder that needs the append lock for longer, at work or not, is waited for without the other locks in hand: so calls that append
    // or commit to those queues wait 50 ms at most.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private readonly List<ITransactionTarget> _targets = [first];
    private PendingAppend? _pending;
    private long _position;
    private bool _hasAppendLock;

    public ITransactionTarget Target => first;

    /// <summary>All handles of the queue that messages were sent by: what the strictest of their options asks for is done.</summary>
    public List<ITransactionTarget> Targets => _targets;

    /// <summary>The one of them that finds no room and decides what to do then: one that fails, before those that wait.</summary>
    public ITransactionTarget? Full { get; private set; }

    public StagedBatch Batch => batch;

    /// <summary>Bytes of log that they take.</summary>
    public long Extent { get; private set; }

    /// <summary>The queue's name in its store.</summary>
    public string Queue => first.Store.Transactions.Name;

    /// <summary>Up to which index segments must be made before another attempt.</summary>
    public long NeededSegment { get; private set; }

    public DecidedOutput Entry => new(
        Queue, first.Store.Meta.Id, _pending!.Value.Position, _pending.Value.Header, _pending.Value.End);

    /// <summary>Messages are sent by this handle, too.</summary>
    public void Add(ITransactionTarget target)
    {
        if (!_targets.Contains(target))
        {
            _targets.Add(target);
        }
    }

    /// <summary>Shows those who wait for the queue's append lock that its holder is at work.</summary>
    public void ShowWork() => MachineMemory.Increment(ref first.Store.Control.Progress);

    /// <summary>Takes the queue's append lock.</summary>
    /// <returns>false where its holder needs it for longer.</returns>
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

    /// <summary>Drops the oldest messages where what was written needs their room.</summary>
    /// <returns>false where there is no room all the same.</returns>
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
