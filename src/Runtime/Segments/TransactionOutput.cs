namespace BlitQueue.Segments;

/// <summary>What a transaction sends to one queue, and how far its commit has come there.</summary>
internal sealed class TransactionOutput(ITransactionTarget target, StagedBatch batch)
{
    // A holder of the turn that does not run is waited for without the other turns: whoever tries to append there waits 50 ms at most.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private PendingAppend? _pending;
    private bool _hasTurn;

    public ITransactionTarget Target => target;

    public StagedBatch Batch => batch;

    /// <summary>Up to which index segments must be made before another attempt.</summary>
    public long NeededSegment { get; private set; }

    public DecidedOutput Entry => new(
        target.Store.Transactions.Name, target.Store.Meta.Id, _pending!.Value.Position, _pending.Value.Header, _pending.Value.End);

    /// <summary>Takes the queue's turn.</summary>
    /// <exception cref="QueueStalledException">Its holder does not run just now.</exception>
    public void TakeTurn()
    {
        target.Appender.Open(Patience);
        _hasTurn = true;
    }

    /// <summary>Writes the messages behind a zero header.</summary>
    public CommitOutcome TryWrite()
    {
        if (!target.HasRoomAt(target.Appender.Position, batch.Extent))
        {
            return CommitOutcome.NoRoom;
        }
        target.Stamp(batch);
        if (!target.Appender.TryWrite(batch, out PendingAppend pending, out long neededSegment))
        {
            NeededSegment = neededSegment;
            return CommitOutcome.NeedsSegment;
        }
        _pending = pending;
        return CommitOutcome.Committed;
    }

    /// <summary>Makes the messages visible and passes the turn: the transaction is decided.</summary>
    public void Publish()
    {
        target.Appender.PublishWritten(_pending!.Value);
        target.Appender.PassTurn();
    }

    /// <summary>Passes the turn, if it is held; nothing was enqueued.</summary>
    public void Undo()
    {
        if (_pending is { } pending)
        {
            target.Appender.Abandon(pending);
            _pending = null;
        }
        if (_hasTurn)
        {
            _hasTurn = false;
            target.Appender.PassTurn();
        }
    }
}
