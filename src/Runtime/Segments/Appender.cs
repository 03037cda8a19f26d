using System.Numerics;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Appends records at the tail: one open record at a time, whose writer is named in the turn word, packed where it stays, published with
/// one store.
/// </summary>
/// <remarks>
/// Invariant while the turn is free: the header at the tail is zero. Whoever dies with the turn leaves either a zero header at the tail
/// (nothing happened; the place is free) or a published one (the tail goes behind it). <see cref="Repair"/> does just that.
/// </remarks>
internal sealed class Appender<TMem>(
    ControlFile control, Participant self, SegmentTable table, SegmentKeeper keeper, QueueMeta meta, TurnWait<TMem> wait) : IDisposable
    where TMem : struct, ISharedMemory
{
    private readonly long _me = self.OwnerWord;
    private readonly RecordCheck _check = new(meta);
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);

    // Written by the holder of the turn alone, which the turn's acquire and release order between threads.
    private Segment? _segment;
    private long _prepareAt;

    /// <summary>Where the open record is. Valid between <see cref="Open"/> and <see cref="Publish"/> or <see cref="PassTurn"/>.</summary>
    public long Position { get; private set; }

    /// <summary>The longest payload that one record can hold, bytes.</summary>
    public int LongestRecord { get; } = meta.LongestRecord;

    /// <summary>Takes the turn and opens the record at the tail.</summary>
    /// <returns>The room behind its header, to the end of the segment; may be empty.</returns>
    /// <exception cref="QueueStalledException">A process that does not run holds the turn.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Open(TimeSpan patience)
    {
        // SYNC POINT turn: acquires what the holder before wrote at the tail.
        if (TMem.CompareExchange(ref control.Turn, _me, 0) != 0)
        {
            OpenSlowly(patience);
        }
        FailPoint.Reach(ProtocolStep.AppendTurnTaken);
        long position = control.Tail;
        Position = position;
        Segment? segment = _segment;
        if (segment is null || segment.Index != position >> _shift)
        {
            segment = EnterSegmentOrPass(position);
        }
        return segment.Payload(position, Math.Max(0, segment.Room(position)));
    }

    /// <summary>Publishes the open record, whose payload is in place, moves the tail behind it and passes the turn.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Publish(int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        PublishRecord(RecordKind.Data, length);
        PassTurn();
    }

    /// <summary>
    /// Copies what was packed elsewhere into the log, over as many segments as it takes, and publishes it with one store. The turn is
    /// held; it is passed whatever happens.
    /// </summary>
    /// <param name="staged">One message or more.</param>
    /// <param name="neededSegment">Up to which index segments must be made first, where that is the outcome.</param>
    public AppendOutcome PublishStaged(StagedBatch staged, out long neededSegment)
    {
        try
        {
            bool inOneRecord = staged.Count == 1 && staged[0].Length <= LongestRecord;
            int needed = inOneRecord ? staged[0].Length : 2 * RecordFormat.HeaderSize;
            neededSegment = _segment!.Index + 1;
            if (_segment.Room(Position) < needed && !TryRoll())
            {
                return AppendOutcome.NeedsSegment;
            }
            return inOneRecord ? PublishCopy(staged[0]) : PublishBatch(staged, out neededSegment);
        }
        finally
        {
            PassTurn();
        }
    }

    /// <summary>Makes the segments up to this index, without holding the turn.</summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="QueueStalledException">Another process has been making one for longer than the patience.</exception>
    public void MakeSegments(long index, TimeSpan patience) => keeper.Ensure(index, patience);

    private AppendOutcome PublishCopy(ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(_segment!.Payload(Position, payload.Length));
        FailPoint.Reach(ProtocolStep.AppendPacked);
        PublishRecord(RecordKind.Data, payload.Length);
        return AppendOutcome.Published;
    }

    private AppendOutcome PublishBatch(StagedBatch staged, out long neededSegment)
    {
        using var writer = new BatchWriter<TMem>(table, keeper, meta, _segment!, Position);
        bool written = writer.TryWrite(staged);
        neededSegment = writer.LastSegment.Index + 1;
        if (!written)
        {
            return AppendOutcome.NeedsSegment;
        }
        writer.SealNext();
        FailPoint.Reach(ProtocolStep.AppendBatchWritten);
        writer.Publish();
        FailPoint.Reach(ProtocolStep.AppendPublished);
        TMem.Store(ref control.Tail, writer.End);
        FailPoint.Reach(ProtocolStep.AppendTailMoved);
        if (writer.LastSegment != _segment)
        {
            MoveTo(Pin(writer.LastSegment.Index));
        }
        if (writer.End >= _prepareAt)
        {
            PrepareNext();
        }
        return AppendOutcome.Published;
    }

    /// <summary>Passes the turn. Without <see cref="Publish"/> before, nothing was enqueued.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PassTurn()
    {
        // SYNC POINT turn: publishes the tail and the zero header at it to the next holder.
        TMem.Store(ref control.Turn, 0);
        FailPoint.Reach(ProtocolStep.AppendTurnPassed);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PublishRecord(RecordKind kind, int length)
    {
        long position = Position;
        Segment segment = _segment!;
        long header = _check.Header(kind, position, segment.Payload(position, length));
        long next = position + RecordFormat.Extent(length);
        segment.Header(next) = 0;
        FailPoint.Reach(ProtocolStep.AppendNextSealed);

        // SYNC POINT record: publishes the payload and the zero header behind it to readers.
        TMem.Store(ref segment.Header(position), header);
        FailPoint.Reach(ProtocolStep.AppendPublished);
        TMem.Store(ref control.Tail, next);
        FailPoint.Reach(ProtocolStep.AppendTailMoved);
        if (next >= _prepareAt)
        {
            PrepareNext();
        }
    }

    // Fills the segment's rest with a pad and goes to the next one. False when that is not made yet.
    private bool TryRoll()
    {
        Segment segment = _segment!;
        if (!keeper.IsReady(segment.Index + 1))
        {
            return false;
        }
        Segment target = Pin(segment.Index + 1);
        long next = segment.NextSegmentStart;
        target.Header(next) = 0;
        FailPoint.Reach(ProtocolStep.AppendNextSealed);

        // SYNC POINT record: publishes the zero header at the next segment's start to readers.
        TMem.Store(ref segment.Header(Position), _check.Header(RecordKind.Pad, Position, []));
        FailPoint.Reach(ProtocolStep.RollPadPublished);
        TMem.Store(ref control.Tail, next);
        FailPoint.Reach(ProtocolStep.RollTailMoved);
        Position = next;
        MoveTo(target);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void OpenSlowly(TimeSpan patience)
    {
        if (!wait.TakeTurn(patience))
        {
            return;
        }
        try
        {
            Repair();
        }
        catch
        {
            PassTurn();
            throw;
        }
    }

    // The turn was a dead participant's. What it had published counts: the tail goes behind it.
    private void Repair()
    {
        FailPoint.Reach(ProtocolStep.RepairTurnTaken);
        long position = control.Tail;
        for (;;)
        {
            Segment segment = EnterSegment(position);
            long header = TMem.Load(ref segment.Header(position));
            if (header == 0)
            {
                break;
            }
            position = RecordFormat.Kind(header) is RecordKind.Pad or RecordKind.BatchPad
                ? segment.NextSegmentStart
                : segment.After(position, RecordFormat.Length(header));
            if (position < 0)
            {
                throw new QueueCorruptException(
                    segment.Path, control.Tail & (segment.Size - 1), "the record at the tail says that it ends outside of its segment.");
            }
            TMem.Store(ref control.Tail, position);
            FailPoint.Reach(ProtocolStep.RepairTailMoved);
        }
        control.Repairs++;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Segment EnterSegmentOrPass(long position)
    {
        try
        {
            return EnterSegment(position);
        }
        catch
        {
            PassTurn();
            throw;
        }
    }

    private Segment EnterSegment(long position)
    {
        long index = position >> _shift;
        if (_segment?.Index == index)
        {
            return _segment;
        }
        MoveTo(Pin(index));
        return _segment!;
    }

    private Segment Pin(long index) => table.Pin(index) ?? throw Missing(index);

    private void MoveTo(Segment segment)
    {
        table.Unpin(_segment);
        _segment = segment;
        segment.NoteEntered();
        _prepareAt = (segment.Index << _shift) + (1L << (_shift - 1));
    }

    // Once per segment, when it is half full.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PrepareNext()
    {
        _prepareAt = long.MaxValue;
        keeper.PrepareInBackground(_segment!.Index + 1);
    }

    private QueueCorruptException Missing(long index) => new(
        table.PathOf(index), 0, "the segment that the tail is in does not exist. Restore it from a backup, or move the queue aside.");

    /// <summary>Gives the pinned segment back; no call is inside any more.</summary>
    public void Dispose() => table.Unpin(_segment);
}
