using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Appends records at the tail: the holder of the append lock, whose owner word the lock contains, packs one open record in place and
/// publishes it with one store.
/// </summary>
/// <remarks>
/// Invariant while the append lock is free: the header at the tail is zero. A process that dies with the append lock leaves either a zero
/// header at the tail (nothing happened; the slot is free) or a published one (the tail goes behind it).
/// <see cref="RollForwardAfterDeath"/> does just that.
/// </remarks>
internal sealed partial class Appender<TMem>(
    ControlFile control, Participant self, SegmentCache table, SegmentAllocator allocator, QueueMeta meta, AppendLockWait<TMem> wait,
    ICommittedTransactions transactions) : IDisposable
    where TMem : struct, ISharedMemory
{
    // As a power of two: when an eighth of a segment is full, the next one is prepared. To make a file and its pages takes about as long as
    // to fill them: a fast producer would have to wait if preparation began later, and a slow one should not need a second file at once.
    private const int PrepareAtPart = 3;

    private const int MostMadeAtOnce = 1024;

    private readonly long _me = self.OwnerWord;
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);
    private readonly SharedWord<long> _lockOwner = control.LockOwnerWord;
    private readonly SharedWord<long> _tail = control.TailWord;

    // Where appenders look for the append lock: at its word, or, while appends are denied, at one that is always taken.
    private SharedWord<long> _entry = control.LockOwnerWord;
    private volatile Func<QueueException>? _denial;

    // Only the holder of the append lock writes it; acquiring and releasing the lock orders the accesses of different threads.
    private Segment? _segment;
    private long _prepareAt;
    private long _moreAskedBehind;
    private long _entered;

    /// <summary>
    /// The open record's position. Valid between <see cref="Open"/> and <see cref="Publish"/> or <see cref="ReleaseLock"/>.
    /// </summary>
    public long Position { get; private set; }

    /// <summary>
    /// Whether at least an empty record fits at the open record's position: at a segment's end there may be room for a pad only.
    /// </summary>
    public bool HasRoom => _segment!.RoomToAppend(Position) >= 0;

    /// <summary>The longest payload of one record, bytes.</summary>
    public int LongestRecord { get; } = meta.LongestRecord;

    /// <summary>Acquires the append lock, waiting until other appenders release it, and opens the record at the tail.</summary>
    /// <param name="patience">How long the lock's holder may make no progress.</param>
    /// <returns>The room behind the record's header, at most as much as may be packed while the append lock is held; may be
    /// empty.</returns>
    /// <exception cref="QueueStalledException">A process that does not run holds the append lock.</exception>
    public Span<byte> Open(TimeSpan patience)
    {
        TryOpen(new WaitLimit(patience), out Span<byte> room);
        return room;
    }

    /// <summary>As <see cref="Open"/>.</summary>
    /// <returns>false if the limit ended the wait; then the append lock is not held.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryOpen(scoped in WaitLimit limit, out Span<byte> room)
    {
        if (!TryEnter(TMem.ThreadId) && !TryTakeSlowly(in limit))
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
        room = segment.Payload(position, Math.Clamp(segment.RoomToAppend(position), 0, PackWriter.MostInPlace));
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

    /// <summary>As <see cref="Publish"/>, for a payload that begins with a block of properties.</summary>
    public void PublishBehindProperties(int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        _segment!.NoteStamped(PropertyBlock.StampOf(_segment.Payload(Position, length)));
        PublishRecord(RecordKind.DataWithProperties, length);
        ReleaseLock();
    }

    /// <summary>
    /// Makes the segments up to this index, one by one, without holding the append lock. Makes only the first few of very many, because the
    /// index comes from the tail's word, which may be damaged; the caller calls again for the rest.
    /// </summary>
    /// <remarks>While the tail is in the first segment, some more of that is reserved, too.</remarks>
    /// <exception cref="QueueFullException">The disk has no room for them.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void MakeSegments(long index, TimeSpan patience, CancellationToken cancellationToken)
    {
        long behindTail = (TMem.Load(ref control.Tail) >> _shift) + 1;
        if (behindTail == 1)
        {
            allocator.ReserveMore();
        }
        long first = Math.Min(index, Math.Max(behindTail, TMem.Load(ref control.AllocatedEnd)));
        for (long next = first; next <= index && next - first < MostMadeAtOnce; next++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            allocator.Ensure(next, patience);
        }
    }

    /// <summary>Releases the append lock. Without a call of <see cref="Publish"/> before, nothing is enqueued.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReleaseLock()
    {
        Leave();
        FailPoint.Reach(ProtocolStep.AppendLockReleased);
    }

    /// <summary>
    /// From now on appends that have not acquired the append lock throw what this returns; for null they go on as before. A thread may
    /// notice it late.
    /// </summary>
    public void Deny(Func<QueueException>? denial)
    {
        _denial = denial;
        _entry = denial is null ? _lockOwner : TakenWord.Word;
    }

    // Rounded down to whole words, because the tail's word may be damaged: so a record's header is always inside the segment.
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
        CountSent(1);
        if (next >= _prepareAt)
        {
            PrepareNext(position);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountSent(int messages)
    {
        if (Instruments.AreSupported)
        {
            _sent += messages;
        }
    }

    // The first step of the publishing order. Once the tail has moved to this header, its zero says that the log ends there.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Seal(ref long headerBehind)
    {
        TMem.Write(ref headerBehind, 0);
        FailPoint.Reach(ProtocolStep.AppendNextSealed);
    }

    // The rest of the publishing order, for every kind of append: the header, then the tail. Before the call, all that the header publishes
    // is complete and the header behind it is zero. If the process dies in between, RollForwardAfterDeath moves the tail.
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
        // Only now: the times noted in these segments must not be earlier than those of messages in front of them.
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
        if (_denial is { } denial)
        {
            throw denial();
        }
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

    // A dead participant held the append lock. What it had published counts: the tail moves behind it.
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
                throw table.Damages.Note(new QueueCorruptException(
                    segment.Path, TMem.Read(ref control.Tail) & (segment.Size - 1),
                    "the record at the tail says that it ends outside of its segment, so that nothing can be enqueued. "
                        + $"{QueueCorruptException.RepairAdvice(table.Directory)}"));
            }
            TMem.Store(ref control.Tail, position);
            FailPoint.Reach(ProtocolStep.RollForwardTailMoved);
        }
        TMem.Write(ref control.Repairs, TMem.Read(ref control.Repairs) + 1);
    }

    // Abandons the unpublished records behind the zero header at a position. Their checks are cleared, because a search behind damage that
    // is found there later would take them for messages. Their lengths stay, so that the next holder of the append lock finds all of them
    // again if this process dies here.
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

    // Publishes the messages of a transaction that the dead participant had committed, but not yet published in this queue.
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
        PrepareAt(FirstPreparation(segment));
    }

    private long FirstPreparation(Segment segment) => (segment.Index << _shift) + (1L << (_shift - PrepareAtPart));

    // The short ways of appending end there, and with them what they may write to without a further question.
    private void PrepareAt(long position)
    {
        Segment segment = _segment!;
        if (segment.Index == 0)
        {
            segment.NoteReserved(FirstSegment.Reserved<TMem>(control, segment.Size));
            position = Math.Min(position, MayAskForMore(segment) ? HalfReserved(segment) : segment.ReservedEnd - RecordFormat.HeaderSize);
        }
        _prepareAt = position;
    }

    // Whether some of the first segment is not reserved, and this appender has not asked a pool thread to reserve more yet.
    private bool MayAskForMore(Segment segment) => segment.ReservedEnd < segment.End && _moreAskedBehind < segment.ReservedEnd;

    private static long HalfReserved(Segment first) => first.ReservedEnd / 2;

    // Whether the log may be written up to this position, as far as it is in the first segment, and one header behind.
    private bool IsReserved(long end)
    {
        Segment segment = _segment!;
        if (segment.Index > 0)
        {
            return true;
        }
        PrepareAt(NextMark(segment, TailWord()));
        return Math.Min(end + RecordFormat.HeaderSize, segment.End) <= segment.ReservedEnd;
    }

    // Called when half of what is reserved of the first segment is full, when an eighth of a segment is, and in a large segment again
    // whenever so many bytes are to be counted. Of many appenders, only the one whose record reaches such a mark has the segment
    // prepared, or the bytes counted.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void PrepareNext(long from)
    {
        Segment segment = _segment!;
        long tail = TailWord();
        if (MayAskForMore(segment) && tail >= HalfReserved(segment))
        {
            _moreAskedBehind = segment.ReservedEnd;
            allocator.ReserveMoreInBackground();
        }
        long mark = NextMark(segment, from);
        if (mark <= tail && mark == FirstPreparation(segment))
        {
            allocator.PrepareInBackground(segment.Index + 1, Stopwatch.GetElapsedTime(_entered));
        }
        else if (mark <= tail)
        {
            allocator.CountInBackground(tail);
        }
        PrepareAt(NextMark(segment, tail));
    }

    // The first position behind this one at which an appender prepares something, as far as it is in the segment.
    private long NextMark(Segment segment, long position)
    {
        long first = FirstPreparation(segment);
        long mark = position < first ? first
            : first + (((position - first) / MessageCounter.WorthNoting) + 1) * MessageCounter.WorthNoting;
        return mark < segment.End ? mark : long.MaxValue;
    }

    /// <summary>Unpins the segment, and gives up the bias. Called when no call is inside any more.</summary>
    public void Dispose()
    {
        GiveUpBias();
        table.Unpin(_segment);
    }
}
