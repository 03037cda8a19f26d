using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Appends records at the tail: one open record at a time, whose writer is named in the append lock's word, packed where it stays,
/// published with one store.
/// </summary>
/// <remarks>
/// Invariant while the append lock is free: the header at the tail is zero. A process that dies with the append lock leaves either a zero
/// header at the tail (nothing happened; the place is free) or a published one (the tail goes behind it).
/// <see cref="RollForwardAfterDeath"/> does just that.
/// </remarks>
internal sealed partial class Appender<TMem>(
    ControlFile control, Participant self, SegmentCache table, SegmentAllocator allocator, QueueMeta meta, AppendLockWait<TMem> wait,
    ICommittedTransactions transactions) : IDisposable
    where TMem : struct, ISharedMemory
{
    // A power of two: an eighth. To make a file and its pages takes about as long as to fill them, so a producer that only appends fast
    // would wait for the rest of a later beginning; and one that enqueues little needs no second file.
    private const int PrepareAtPart = 3;

    private const int MostMadeAtOnce = 1024;

    private readonly long _me = self.OwnerWord;
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);
    private readonly SharedWord<long> _lockOwner = control.LockOwnerWord;
    private readonly SharedWord<long> _tail = control.TailWord;

    // Written by the holder of the append lock alone, which the append lock's acquire and release order between threads.
    private Segment? _segment;
    private long _prepareAt;
    private bool _isPrepared;
    private long _entered;

    /// <summary>
    /// Where the open record is. Valid between <see cref="Open"/> and <see cref="Publish"/> or <see cref="ReleaseLock"/>.
    /// </summary>
    public long Position { get; private set; }

    /// <summary>
    /// Whether an empty record at least fits where the open one is: at a segment's end there may be room for a pad alone.
    /// </summary>
    public bool HasRoom => _segment!.Room(Position) >= 0;

    /// <summary>The longest payload that one record can hold, bytes.</summary>
    public int LongestRecord { get; } = meta.LongestRecord;

    /// <summary>Acquires the append lock, as soon as others let it go, and opens the record at the tail.</summary>
    /// <param name="patience">How long its holder may stand still.</param>
    /// <returns>The room behind its header, as much as is packed while the append lock is held; may be empty.</returns>
    /// <exception cref="QueueStalledException">A process that does not run holds the append lock.</exception>
    public Span<byte> Open(TimeSpan patience)
    {
        TryOpen(new WaitLimit(patience), out Span<byte> room);
        return room;
    }

    /// <summary>As <see cref="Open"/>.</summary>
    /// <returns>false, without the append lock, when a bounded wait for it is over.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryOpen(scoped in WaitLimit limit, out Span<byte> room)
    {
        // SYNC POINT append lock: acquires what the holder before wrote at the tail.
        if (TMem.CompareExchange(ref _lockOwner.Value, _me, 0) != 0 && !TryTakeSlowly(in limit))
        {
            room = default;
            return false;
        }
        FailPoint.Reach(ProtocolStep.AppendLockAcquired);
        long position = TailWord();
        Position = position;
        Segment? segment = _segment;
        if (segment is null || segment.Index != position >> _shift)
        {
            segment = EnterSegmentOrRelease(position);
        }
        room = segment.Payload(position, Math.Clamp(segment.Room(position), 0, PackWriter.MostInPlace));
        return true;
    }

    /// <summary>Publishes the open record, whose payload is in place, moves the tail behind it and releases the append lock.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Publish(int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        PublishRecord(RecordKind.Data, length);
        ReleaseLock();
    }

    /// <summary>As <see cref="Publish"/>, where the payload begins with a block of properties.</summary>
    public void PublishBehindProperties(int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        _segment!.NoteStamped(PropertyBlock.StampOf(_segment.Payload(Position, length)));
        PublishRecord(RecordKind.DataWithProperties, length);
        ReleaseLock();
    }

    /// <summary>
    /// Makes the segments up to this index, one by one, without holding the append lock; of very many only the first ones, as the index is
    /// no better than the tail's word was, which may be damaged. The caller comes again for the rest.
    /// </summary>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void MakeSegments(long index, TimeSpan patience, CancellationToken cancellationToken)
    {
        long behindTail = (TMem.Load(ref control.Tail) >> _shift) + 1;
        long first = Math.Min(index, Math.Max(behindTail, TMem.Load(ref control.AllocatedEnd)));
        for (long next = first; next <= index && next - first < MostMadeAtOnce; next++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            allocator.Ensure(next, patience);
        }
    }

    /// <summary>Releases the append lock. Without <see cref="Publish"/> before, nothing was enqueued.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReleaseLock()
    {
        // SYNC POINT append lock: publishes the tail and the zero header at it to the next holder.
        TMem.Store(ref _lockOwner.Value, 0);
        FailPoint.Reach(ProtocolStep.AppendLockReleased);
    }

    // Whole words, whatever another may have written there: so the record's header lies in the segment.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long TailWord() => TMem.Read(ref _tail.Value) & ~7L;

    private void PublishRecord(RecordKind kind, int length)
    {
        Segment segment = _segment!;
        long position = Position;
        if (TMem.IsWatched)
        {
            TMem.Written(segment.Payload(position, length));
        }
        long header = segment.HeaderOf(_check, kind, position, length);
        long next = position + RecordFormat.Extent(length);
        Debug.Assert(next < segment.End, "The header behind the record lies in the segment.");
        Seal(ref segment.Header(next));
        PublishSealed(ref segment.Header(position), header, next);
        if (next >= _prepareAt)
        {
            PrepareNext();
        }
    }

    // The first step of the publishing order. Once the tail stands there, the zero says that the log ends behind it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Seal(ref long headerBehind)
    {
        TMem.Write(ref headerBehind, 0);
        FailPoint.Reach(ProtocolStep.AppendNextSealed);
    }

    // The rest of the publishing order, for every kind of append: the header, then the tail. What the header publishes is complete, and the
    // header behind it is sealed. Where the process dies in between, RollForwardAfterDeath moves the tail.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PublishSealed(ref long record, long header, long next, bool isPad = false, ReadOnlySpan<Segment> begun = default)
    {
        // SYNC POINT record: publishes the payload, or every record of the batch, and the zero header behind it to readers.
        TMem.Store(ref record, header);
        if (isPad)
        {
            FailPoint.Reach(ProtocolStep.RollPadPublished);
        }
        else
        {
            FailPoint.Reach(ProtocolStep.AppendPublished);
        }
        // Not before: what lies in the segments in front of them was enqueued no earlier.
        foreach (Segment segment in begun)
        {
            segment.NoteEntered();
        }
        TMem.Store(ref _tail.Value, next);
        if (isPad)
        {
            FailPoint.Reach(ProtocolStep.RollTailMoved);
        }
        else
        {
            FailPoint.Reach(ProtocolStep.AppendTailMoved);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryTakeSlowly(in WaitLimit limit)
    {
        bool taken = wait.TryAcquireLock(in limit, out bool wasDead);
        try
        {
            if (wasDead)
            {
                RollForwardAfterDeath();
            }
        }
        catch
        {
            ReleaseLock();
            throw;
        }
        return taken;
    }

    // The append lock was a dead participant's. What it had published counts: the tail goes behind it.
    private void RollForwardAfterDeath()
    {
        FailPoint.Reach(ProtocolStep.RollForwardLockAcquired);
        long position = TMem.Read(ref control.Tail);
        PublishDecided(position);
        for (; ; )
        {
            Segment segment = EnterSegment(position);
            long header = TMem.Load(ref segment.Header(position));
            if (header == 0)
            {
                Disown(position);
                break;
            }
            position = segment.Behind(position, header);
            if (position < 0)
            {
                throw new QueueCorruptException(
                    segment.Path, TMem.Read(ref control.Tail) & (segment.Size - 1),
                    "the record at the tail says that it ends outside of its segment, so that nothing can be enqueued. "
                        + $"{QueueCorruptException.RepairAdvice(table.Directory)}");
            }
            TMem.Store(ref control.Tail, position);
            FailPoint.Reach(ProtocolStep.RollForwardTailMoved);
        }
        TMem.Write(ref control.Repairs, TMem.Read(ref control.Repairs) + 1);
    }

    // What was begun behind the zero header at a position is given up. Its records lose their checks: a search behind a damage
    // that is found there later would take them for messages. Their lengths stay, so that the process which takes the append lock over from
    // one that dies here finds all of them again.
    private void Disown(long position)
    {
        Segment? segment = table.Pin(position >> _shift);
        position = FirstOfBatch(position);
        while (segment is not null && position > 0 && position < segment.End
            && TMem.Read(ref segment.Header(position)) is var header && RecordFormat.Kind(header).IsInBatch())
        {
            TMem.Write(ref segment.Header(position), RecordFormat.Header(RecordFormat.Kind(header), RecordFormat.Length(header), check: 0));
            position = segment.Behind(position, header);
            if (RecordFormat.Kind(header).IsPad())
            {
                table.Unpin(segment);
                segment = table.Pin(position >> _shift);
            }
        }
        table.Unpin(segment);
    }

    // The dead participant had committed a transaction, and not yet published what it sends here.
    private void PublishDecided(long position)
    {
        long header = transactions.HeaderAt(position);
        if (header != 0)
        {
            // SYNC POINT record: what the header publishes was written before the transaction was decided.
            TMem.Store(ref EnterSegment(position).Header(position), header);
            FailPoint.Reach(ProtocolStep.RollForwardPublished);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Segment EnterSegmentOrRelease(long position)
    {
        try
        {
            return EnterSegment(position);
        }
        catch
        {
            ReleaseLock();
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
        MoveTo(table.PinMade(index));
        return _segment!;
    }

    private void MoveTo(Segment segment)
    {
        table.Unpin(_segment);
        _segment = segment;
        segment.NoteEntered();
        _entered = Stopwatch.GetTimestamp();
        _isPrepared = false;
        _prepareAt = (segment.Index << _shift) + (1L << (_shift - PrepareAtPart));
    }

    // When an eighth of a segment is full; then, of a large one, each time that so much is to be counted.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PrepareNext()
    {
        long tail = TailWord();
        if (_isPrepared)
        {
            allocator.CountInBackground(tail);
        }
        else
        {
            _isPrepared = true;
            allocator.PrepareInBackground(_segment!.Index + 1, Stopwatch.GetElapsedTime(_entered));
        }
        _prepareAt = tail + MessageCounter.WorthNoting < _segment!.End ? tail + MessageCounter.WorthNoting : long.MaxValue;
    }

    /// <summary>Gives the pinned segment back; no call is inside any more.</summary>
    public void Dispose() => table.Unpin(_segment);
}
