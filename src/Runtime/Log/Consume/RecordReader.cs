using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Reads records by position, through the one or two segments that its cursor is in. Every value read from the map is checked before it is
/// used: the bytes may be damaged, or another process's to change.
/// </summary>
/// <param name="table">The handle's segments.</param>
/// <param name="meta">The queue's settings.</param>
/// <param name="entering">Called before a segment is entered: rarely, and at least once before anything is read.</param>
/// <param name="limit">Gives the position behind which nothing is found; null for none.</param>
/// <param name="disposed">What is thrown after <see cref="Dispose"/>: whose reader it was. null where nobody else has it.</param>
internal sealed partial class RecordReader<TMem>(
    SegmentCache table, QueueMeta meta, Action? entering = null, Func<long>? limit = null, Func<ObjectDisposedException>? disposed = null)
    : IDisposable where TMem : struct, ISharedMemory
{
    private readonly Lock _sync = new();
    private readonly RecordCheck _check = meta.RecordCheck;
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);

    // Two, because at a segment's end consumers stand on both sides. Read without the lock: a reference is read in one piece.
    private Segment? _current;

    // The current one, for a look that finds whatever is there: a limited reader has none, and takes the slow way.
    private Segment? _unlimited;

    // The current one, as long as no other waits to be given back.
    private Segment? _only;
    private Segment? _previous;
    private bool _disposed;

    /// <summary>
    /// Finds a message that stands at a position as one plain record, no longer than <see cref="PositionedMemory.LongestSlot"/>, in the
    /// segment that is being read: nearly every one. Its check was compared.
    /// </summary>
    /// <returns>false when something else is there, or nothing; <see cref="TryFind"/> tells.</returns>
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

    // False where it is another segment than the one that is being read.
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
    /// The place of a record of this length, if it is in the segment that is being read, and no other segment is to be given back after it.
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

    /// <summary>Whether a plain record of this length was published in the place, in a batch or not; its check was compared.</summary>
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
    /// <param name="found">The message; where there is none, at most the position at which the next one will be.</param>
    /// <returns>false when nothing has been published there yet.</returns>
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

    /// <summary>The record of a leased message, whose segment cannot be deleted meanwhile.</summary>
    public RecordRef At(long position) =>
        TryFindSlowly(nextWord: 0, position, out RecordRef found) && found.Position == position
            ? found
            : throw Damaged(position, "a leased message is no longer there");

    /// <summary>
    /// Whether a message begins at a position that somebody else named, or a batch, or what is stepped over before one: where a consumer
    /// may stand. Its segment cannot be deleted meanwhile.
    /// </summary>
    public bool IsRecordStart(long position)
    {
        try
        {
            if (!TryFindSlowly(nextWord: 0, position, out RecordRef found) || found.Position != position)
            {
                // What was stepped over was whole.
                return found.Position > position;
            }
            // A header is 32 bits of check to one: bytes of a message seldom look like one.
            FirstPiece(found, isChecked: true);
            return true;
        }
        catch (QueueCorruptException)
        {
            return false;
        }
    }

    /// <summary>Whether the record at a position belongs to a batch that was announced before it.</summary>
    public bool BeginsInBatch(long position) =>
        RecordFormat.Kind(TMem.Load(ref Enter(position).Header(position))).IsInBatch();

    /// <summary>Whether all of the message's records are those that were published, so that it ends where it says.</summary>
    public bool IsWhole(in RecordRef found)
        => found.IsInPieces ? AreAllWhole(found) : _check.Fits(found.Header, found.Position, FirstPiece(found, isChecked: false));

    /// <summary>Whether a position is in a segment before the one that another position is in.</summary>
    public bool IsInEarlierSegment(long position, long than) => position >> _shift < than >> _shift;

    /// <summary>Gives the segments before this position back.</summary>
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

    // Entered anew: looking for the end of a message in many segments may have left the one that it begins in, and unmapped it.
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
            table.Unpin(_previous);
            _previous = _current;
            _current = segment;
            _unlimited = limit is null ? segment : null;
            _only = _previous is null ? _unlimited : null;
            return segment;
        }
    }

    /// <summary>Gives the pinned segments back. Calls that are inside go on with what they have.</summary>
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
