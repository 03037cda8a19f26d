using BlitQueue.Memory;

namespace BlitQueue.Log;

internal sealed partial class Appender<TMem>
{
    /// <summary>
    /// Copies staged messages into the log, into as many segments as they need, and publishes them with one store. The caller holds the
    /// append lock; this method releases it in every case.
    /// </summary>
    /// <param name="staged">The messages, one or more.</param>
    /// <param name="neededSegment">For the outcome NeedsSegment: the index up to which segments must be made first.</param>
    /// <param name="first">The first message's position, if they were published.</param>
    /// <param name="full">Drops old messages to make room, once all new ones are written, so that none is dropped for messages that are not
    /// enqueued in the end. null if there is room.</param>
    public AppendOutcome PublishStaged(StagedBatch staged, out long neededSegment, out long first, IRoomMaker? full = null)
    {
        first = 0;
        try
        {
            long position = Position, extent = Extent(staged);
            if (!TryWrite(staged, out PendingAppend pending, out neededSegment))
            {
                return AppendOutcome.NeedsSegment;
            }
            if (full is not null && !TryMakeRoom(full, position, extent, pending))
            {
                return AppendOutcome.NoRoom;
            }
            PublishWritten(pending);
            first = pending.First;
            return AppendOutcome.Published;
        }
        finally
        {
            ReleaseLock();
        }
    }

    private bool TryMakeRoom(IRoomMaker full, long position, long extent, in PendingAppend pending)
    {
        bool isRoom = false;
        try
        {
            return isRoom = full.TryMakeRoomAt(position, extent);
        }
        finally
        {
            if (!isRoom)
            {
                Abandon(pending);
            }
        }
    }

    /// <summary>
    /// Copies staged messages into the log behind a zero header, for <see cref="PublishWritten"/> or <see cref="Abandon"/>. The caller
    /// holds the append lock, before and afterwards.
    /// </summary>
    /// <returns>false if segments must be made first, up to <paramref name="neededSegment"/>, or more of the first one must be
    /// reserved.</returns>
    public bool TryWrite(StagedBatch staged, out PendingAppend pending, out long neededSegment)
    {
        bool inOneRecord = staged.IsOneRecord(meta);
        int needed = inOneRecord ? staged[0].Length : 2 * RecordFormat.HeaderSize;
        // Checked before anything is written, so that no long copy is made in vain.
        long end = Position + Extent(staged);
        neededSegment = end >> _shift;
        pending = default;
        if (!allocator.IsReady(neededSegment) || !IsReserved(end) || (_segment!.Room(Position) < needed && !TryRoll()))
        {
            return false;
        }
        pending = inOneRecord ? WriteRecord(staged[0], hasProperties: staged.PropertiesLength(0) > 0) : WriteBatch(staged);
        return true;
    }

    /// <summary>
    /// How many bytes of log the messages take at the tail, padding and segment headers included. The caller holds the append lock.
    /// </summary>
    public long Extent(StagedBatch staged) =>
        Position + staged.Extent <= _segment!.End - RecordFormat.HeaderSize && staged.Length <= LongestRecord
            ? staged.Extent
            : staged.End(Position, meta) - Position;

    /// <summary>Publishes the written messages, and moves the tail behind them. Never throws.</summary>
    public void PublishWritten(in PendingAppend pending)
    {
        PublishSealed(ref _segment!.Header(pending.Position), pending.Header, pending.End, begun: pending.Begun);
        CountSent(pending.Messages);
        foreach (Segment begun in pending.Begun)
        {
            MoveTo(begun);
        }
        if (pending.Begun.Length > 0)
        {
            allocator.NoteLength(pending.End - pending.Position);
            allocator.CountInBackground(pending.End);
        }
        if (pending.End >= _prepareAt)
        {
            PrepareNext(pending.Position);
        }
    }

    /// <summary>Gives the written messages up: later appends overwrite them.</summary>
    public void Abandon(in PendingAppend pending)
    {
        Disown(pending.Position);
        foreach (Segment begun in pending.Begun)
        {
            table.Unpin(begun);
        }
    }

    private PendingAppend WriteRecord(ReadOnlySpan<byte> payload, bool hasProperties)
    {
        Segment segment = _segment!;
        new LongCopy<TMem>(control, table.WritesByPage).Run(payload, segment.Payload(Position, payload.Length));
        TMem.Written(segment.Payload(Position, payload.Length));
        FailPoint.Reach(ProtocolStep.AppendPacked);
        if (hasProperties)
        {
            segment.NoteStamped(PropertyBlock.StampOf(payload));
        }
        long header = _check.Header(RecordKinds.OfMessage(isAlone: true, hasProperties), Position, payload);
        long next = Position + RecordFormat.Extent(payload.Length);
        Seal(ref segment.Header(next));
        return new PendingAppend(Position, Position, header, next, [], Messages: 1);
    }

    private PendingAppend WriteBatch(StagedBatch staged)
    {
        using var writer = new BatchWriter<TMem>(table, meta, control, _segment!, Position);
        writer.Write(staged);
        long header = writer.Announce();
        FailPoint.Reach(ProtocolStep.AppendBatchWritten);
        return new PendingAppend(Position, writer.First, header, writer.End, writer.TakeBegun(), staged.Count);
    }

    // Fills the rest of the segment with a pad and enters the next segment. False if that is not made yet.
    private bool TryRoll()
    {
        Segment segment = _segment!;
        if (!allocator.IsReady(segment.Index + 1))
        {
            return false;
        }
        Segment target = table.PinMade(segment.Index + 1);
        long next = segment.NextSegmentStart;
        Seal(ref target.Header(next));
        PublishSealed(ref segment.Header(Position), _check.Header(RecordKind.Pad, Position, []), next, isPad: true);
        Position = next;
        MoveTo(target);
        allocator.CountInBackground(next);
        return true;
    }
}
