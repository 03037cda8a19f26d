using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Reads records by position, in the one or two segments that its cursor is in. Every value that is read from the map is checked before it
/// is used: the bytes may be damaged, or another process may change them.
/// </summary>
/// <param name="table">The handle's segments.</param>
/// <param name="meta">The queue's settings.</param>
/// <param name="entering">Called before the reader enters a segment: rarely, and at least once before anything is read.</param>
/// <param name="limit">Gives the position behind which nothing is found; null for none.</param>
/// <param name="disposed">Makes the exception that calls after <see cref="Dispose"/> throw. null if only one caller has the reader.</param>
internal sealed partial class RecordReader<TMem>(
    SegmentCache table, QueueMeta meta, Action? entering = null, Func<long>? limit = null, Func<ObjectDisposedException>? disposed = null)
    : IDisposable where TMem : struct, ISharedMemory
{
    private readonly Lock _sync = new();
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);

    // Two segments, because consumers may be on both sides of a segment's end. Read without the lock: a reference is read atomically.
    private Segment? _current;

    // The current segment, for readers without a limit; null in a reader with a limit, which takes the slow path.
    private Segment? _unlimited;

    // The current segment, as long as no other one is still pinned.
    private Segment? _only;
    private Segment? _previous;
    private bool _disposed;

    /// <summary>
    /// Finds a message at a position if it is one data record, no longer than <see cref="PositionedMemory.LongestSlot"/>, in the segment
    /// that is being read, as nearly every message is. Compares its check.
    /// </summary>
    /// <returns>false if there is something else, or nothing; <see cref="TryFind"/> finds out.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindData(long position, out RecordSlot slot, out int length)
    {
        if (!TryLookAt(position, out Segment? segment, out long header))
        {
            slot = default;
            length = 0;
            return false;
        }
        length = RecordFormat.Length(header);
        return segment.TryGetSlot(position, length, out slot) && HasRecord(slot, position, length);
    }

    // False if the position is in another segment than the one that is being read.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryLookAt(long position, [NotNullWhen(true)] out Segment? segment, out long header)
    {
        segment = _unlimited;
        if (segment is null || segment.Index != position >> _shift)
        {
            header = 0;
            return false;
        }
        // SYNC POINT record: acquires the payload that the appender wrote before this header.
        header = TMem.Load(ref segment.Header(position));
        return true;
    }

    /// <summary>
    /// The slot of a record of this length, if it is in the segment that is being read and no other segment is pinned.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlot(long position, int length, out RecordSlot slot)
    {
        if (_only is { } segment)
        {
            return segment.TryGetSlot(position, length, out slot);
        }
        slot = default;
        return false;
    }

    /// <summary>Whether a data record of this length was published in the slot, in a batch or not. Compares its check.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasRecord(RecordSlot slot, long position, int length)
    {
        Span<byte> payload = slot.Payload(length);
        // SYNC POINT record: acquires the payload that the appender wrote before this header.
        long header = TMem.Load(ref slot.Header);
        TMem.Reading(payload);
        bool isThere = header == _check.Header(RecordFormat.Kind(header).AsData(), position, payload);
        FailPoint.ReachIf(isThere, ProtocolStep.DequeueFound);
        return isThere;
    }

    /// <summary>Finds the first message at or behind a position.</summary>
    /// <param name="nextWord">The subscription's next word that the position is from.</param>
    /// <param name="found">The message; if there is none, only the position at which the next one will be.</param>
    /// <returns>false if nothing is published there yet.</returns>
    /// <exception cref="QueueCorruptException">What stands there cannot be a record.</exception>
    public bool TryFind(long nextWord, out RecordRef found)
    {
        long position = SubscriptionFormat.Position(nextWord);
        if (TryLookAt(position, out Segment? segment, out long header))
        {
            if (header == 0)
            {
                found = default;
                return false;
            }
            int length = RecordFormat.Length(header);
            long after = segment.After(position, length);
            if (RecordFormat.Kind(header).IsData() && after >= 0)
            {
                found = new RecordRef(nextWord, segment, position, after, header, length);
                return true;
            }
        }
        return TryFindSlowly(nextWord, position, out found) && IsWithinLimit(ref found);
    }

    /// <summary>The record of a leased message, whose segment cannot be deleted in the meantime.</summary>
    public RecordRef At(long position) =>
        TryFindSlowly(nextWord: 0, position, out RecordRef found) && found.Position == position
            ? found
            : throw Damaged(position, "a leased message is no longer there");

    /// <summary>The dead letter that the first message at or behind a position was.</summary>
    /// <returns>null where there is no message, or damage, or one that was no letter.</returns>
    public static LetterOrigin? LetterAt(SegmentCache segments, QueueMeta meta, long position)
    {
        using var reader = new RecordReader<TMem>(segments, meta);
        try
        {
            return position > 0 && position % sizeof(long) == 0
                && reader.TryFind(SubscriptionFormat.NextWord(position, 0), out RecordRef found) && found.HasProperties
                    ? reader.Properties(found, isChecked: true).Letter
                    : null;
        }
        catch (QueueCorruptException)
        {
            return null;
        }
    }

    /// <summary>
    /// Whether a consumer may be at a position that comes from outside: a message, a batch or padding begins there. Its segment cannot be
    /// deleted in the meantime.
    /// </summary>
    public bool IsRecordStart(long position)
    {
        try
        {
            if (!TryFindSlowly(nextWord: 0, position, out RecordRef found) || found.Position != position)
            {
                // The padding that was stepped over is whole.
                return found.Position > position;
            }
            // Compares the check of 32 bits: bytes inside a message seldom look like a record.
            FirstPiece(found, isChecked: true);
            return true;
        }
        catch (QueueCorruptException)
        {
            return false;
        }
    }

    /// <summary>Whether the record at a position belongs to a batch, whose announcing record is in front of it.</summary>
    public bool BeginsInBatch(long position) =>
        RecordFormat.Kind(TMem.Load(ref Enter(position).Header(position))).IsInBatch();

    /// <summary>Whether all of the message's records are as they were published, so that it ends where its header says.</summary>
    public bool IsWhole(in RecordRef found)
        => found.IsInPieces ? AreAllWhole(found) : _check.Fits(found.Header, found.Position, FirstPiece(found, isChecked: false));

    /// <summary>Whether a position is in a segment before the one that another position is in.</summary>
    public bool IsInEarlierSegment(long position, long than) => position >> _shift < than >> _shift;

    /// <summary>Unpins the segments in front of a position.</summary>
    public bool LeaveBefore(long position)
    {
        if (_previous is not { } previous || previous.Index >= position >> _shift)
        {
            return false;
        }
        lock (_sync)
        {
            if (_previous != previous)
            {
                return false;
            }
            _previous = null;
            _only = _unlimited;
            table.Unpin(previous);
            return true;
        }
    }

    // Enters the segment again: the search for the end of a message in many segments may have left and unmapped the first one.
    private ReadOnlySpan<byte> FirstPiece(scoped in RecordRef found, bool isChecked)
    {
        Segment segment = Enter(found.Position);
        ReadOnlySpan<byte> payload = segment.Payload(found.Position, RecordFormat.Length(found.Header));
        TMem.Reading(payload);
        if (isChecked)
        {
            Verify(segment, found.Position, found.Header, payload);
        }
        return payload;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Verify(Segment segment, long position, long header, ReadOnlySpan<byte> payload)
    {
        TMem.Reading(payload);
        if (!_check.Fits(header, position, payload))
        {
            ThrowDamaged(position);
        }
    }

    private bool IsWithinLimit(ref RecordRef found)
    {
        if (limit is null || found.After <= limit())
        {
            return true;
        }
        found = default;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryFindSlowly(long nextWord, long position, out RecordRef found)
    {
        for (; ; )
        {
            Segment segment = Enter(position);
            long header = TMem.Load(ref segment.Header(position));
            int length = RecordFormat.Length(header);
            switch (RecordFormat.Kind(header))
            {
                case RecordKind.None when header == 0:
                    found = default(RecordRef) with { Position = position };
                    return false;
                case var kind when kind.IsPad():
                    Verify(segment, position, header, []);
                    position = segment.NextSegmentStart;
                    continue;
                case RecordKind.Batch:
                    long behind = After(segment, position, length);
                    Verify(segment, position, header, segment.Payload(position, length));
                    position = behind;
                    continue;
                case RecordKind.Gap when _check.FitsEmpty(header, position):
                    position = After(segment, position, length);
                    continue;
                case RecordKind.Hole when _check.FitsEmpty(header, position):
                    throw Damaged(position, "what stood there was found damaged when the queue was opened");
                case var kind when !kind.BeginsMessage():
                    throw Damaged(position, $"the record header {header:x16} is that of no message");
                case var kind when kind.EndsMessage():
                    found = new RecordRef(nextWord, segment, position, After(segment, position, length), header, length);
                    return true;
                default:
                    found = FindPieces(nextWord, segment, position, header);
                    return true;
            }
        }
    }

    private long After(Segment segment, long position, int length)
    {
        long after = segment.After(position, length);
        return after >= 0 ? after : throw Damaged(position, $"a record of {length} bytes, which would end outside of the segment");
    }

    private Segment Enter(long position)
    {
        long index = position >> _shift;
        if (_current is { } current && current.Index == index)
        {
            return current;
        }
        if (_previous is { } previous && previous.Index == index)
        {
            return previous;
        }
        lock (_sync)
        {
            if (_disposed)
            {
                throw disposed?.Invoke() ?? Disposed.OfQueue(table.Directory);
            }
            entering?.Invoke();
            Segment segment = table.PinIfStill(index) ?? throw Damaged(position, "the segment does not exist");
            Segment? left = _previous;
            _previous = _current;
            _current = segment;
            _unlimited = limit is null ? segment : null;
            _only = _previous is null ? _unlimited : null;
            // Last: a thread that enters the gate from here on does not find it any more, and it may be unmapped at once.
            table.Unpin(left);
            return segment;
        }
    }

    /// <summary>Unpins the segments. Calls that are still inside go on with their own references.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            (Segment? current, Segment? previous) = (_current, _previous);
            _disposed = true;
            _current = _previous = _unlimited = _only = null;
            table.Unpin(current);
            table.Unpin(previous);
        }
    }
}
