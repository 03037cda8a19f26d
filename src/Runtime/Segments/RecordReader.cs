using System.Numerics;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Reads records by position, through the one or two segments that its cursor is in. Every value read from the map is checked before it is
/// used: the bytes may be damaged, or another process's to change.
/// </summary>
/// <param name="table">The handle's segments.</param>
/// <param name="meta">The queue's settings.</param>
/// <param name="entering">Called before a segment is entered: rarely, and at least once before anything is read.</param>
internal sealed class RecordReader<TMem>(SegmentTable table, QueueMeta meta, Action? entering = null) : IDisposable where TMem : struct, ISharedMemory
{
    private readonly Lock _sync = new();
    private readonly RecordCheck _check = new(meta);
    private readonly int _shift = BitOperations.Log2((ulong)meta.SegmentSize);

    // Two, because at a segment's end consumers stand on both sides. Read without the lock: a reference is read in one piece.
    private Segment? _current;
    private Segment? _previous;
    private bool _disposed;

    /// <summary>Finds the first message at or behind a position.</summary>
    /// <param name="nextWord">The subscription's next word that the position is from.</param>
    /// <param name="found">The message; where there is none, at most the position at which the next one will be.</param>
    /// <returns>false when nothing has been published there yet.</returns>
    /// <exception cref="QueueCorruptException">What stands there cannot be a record.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(long nextWord, out FoundRecord found)
    {
        long position = SubscriptionFormat.Position(nextWord);
        Segment? segment = _current;
        if (segment is not null && segment.Index == position >> _shift)
        {
            // SYNC POINT record: acquires the payload that the appender wrote before this header.
            long header = TMem.Load(ref segment.Header(position));
            if (header == 0)
            {
                found = default;
                return false;
            }
            if (RecordFormat.Kind(header) == RecordKind.Data)
            {
                int length = RecordFormat.Length(header);
                long after = segment.After(position, length);
                if (after >= 0)
                {
                    found = new FoundRecord(nextWord, segment, position, after, header, length);
                    return true;
                }
            }
        }
        return TryFindSlowly(nextWord, position, out found);
    }

    /// <summary>The payload of a message that lies in one record, checked.</summary>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(in FoundRecord found)
    {
        ReadOnlySpan<byte> payload = found.Segment.Payload(found.Position, (int)found.Length);
        Verify(found.Segment, found.Position, found.Header, payload);
        return payload;
    }

    /// <summary>Puts a split message together, each piece checked.</summary>
    /// <param name="found">The message.</param>
    /// <param name="destination">At least its length.</param>
    /// <returns>The message in the destination.</returns>
    /// <exception cref="QueueCorruptException">The pieces are not those that were published.</exception>
    public ReadOnlySpan<byte> Join(in FoundRecord found, Span<byte> destination)
    {
        long at = found.Position;
        int filled = 0;
        while (filled < found.Length && NextPiece(ref at, out Segment segment, out long header, out long after))
        {
            ReadOnlySpan<byte> piece = segment.Payload(at, RecordFormat.Length(header));
            if (piece.Length > found.Length - filled)
            {
                throw Corrupt(segment, at, "the pieces of a split message do not add up");
            }
            piece.CopyTo(destination[filled..]);
            Verify(segment, at, header, destination.Slice(filled, piece.Length));
            filled += piece.Length;
            at = after;
        }
        return destination[..filled];
    }

    /// <summary>The record of a leased message, whose segment cannot be deleted meanwhile.</summary>
    public FoundRecord At(long position) =>
        TryFindSlowly(nextWord: 0, position, out FoundRecord found)
            ? found
            : throw Corrupt(Enter(position >> _shift), position, "a leased message is no longer there");

    /// <summary>Whether a message begins at a position that somebody else named. Its segment cannot be deleted meanwhile.</summary>
    public bool IsMessage(long position)
    {
        try
        {
            if (!TryFindSlowly(nextWord: 0, position, out FoundRecord found) || found.Position != position)
            {
                return false;
            }
            // A header is 32 bits of check to one: bytes of a message seldom look like one.
            Verify(found.Segment, position, found.Header, found.Segment.Payload(position, RecordFormat.Length(found.Header)));
            return true;
        }
        catch (QueueCorruptException)
        {
            return false;
        }
    }

    /// <summary>Where the log goes on behind a batch that began in a segment that is gone; the position itself where none did.</summary>
    /// <param name="position">The first record of the first segment that is left; it cannot be deleted meanwhile.</param>
    public long SkipCutBatch(long position)
    {
        for (;;)
        {
            Segment segment = Enter(position >> _shift);
            long header = TMem.Load(ref segment.Header(position));
            switch (RecordFormat.Kind(header))
            {
                case RecordKind.BatchData or RecordKind.BatchFragment:
                    position = After(segment, position, RecordFormat.Length(header));
                    continue;
                case RecordKind.BatchPad:
                    position = segment.NextSegmentStart;
                    continue;
                default:
                    return position;
            }
        }
    }

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
            table.Unpin(previous);
            return true;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryFindSlowly(long nextWord, long position, out FoundRecord found)
    {
        for (;;)
        {
            Segment segment = Enter(position >> _shift);
            long header = TMem.Load(ref segment.Header(position));
            int length = RecordFormat.Length(header);
            switch (RecordFormat.Kind(header))
            {
                case RecordKind.None when header == 0:
                    found = default(FoundRecord) with { Position = position };
                    return false;
                case RecordKind.Pad or RecordKind.BatchPad:
                    Verify(segment, position, header, []);
                    position = segment.NextSegmentStart;
                    continue;
                case RecordKind.Batch:
                    long behind = After(segment, position, length);
                    Verify(segment, position, header, segment.Payload(position, length));
                    position = behind;
                    continue;
                case RecordKind.Data or RecordKind.BatchData:
                    found = new FoundRecord(nextWord, segment, position, After(segment, position, length), header, length);
                    return true;
                case RecordKind.BatchFragment:
                    found = FindPieces(nextWord, segment, position, header);
                    return true;
                default:
                    throw Corrupt(segment, position, $"the record header {header:x16} is of no known kind");
            }
        }
    }

    private FoundRecord FindPieces(long nextWord, Segment first, long position, long firstHeader)
    {
        long total = 0, at = position, after;
        while (NextPiece(ref at, out Segment segment, out long header, out after))
        {
            total += RecordFormat.Length(header);
            at = after;
            if (RecordFormat.Kind(header) == RecordKind.BatchData)
            {
                return total <= Array.MaxLength
                    ? new FoundRecord(nextWord, first, position, after, firstHeader, total)
                    : throw Corrupt(segment, position, $"a split message of {total} bytes");
            }
        }
        throw Corrupt(first, position, "a split message without an end");
    }

    // Steps over the padding at a segment's end. False when no piece of a message stands at the position.
    private bool NextPiece(ref long position, out Segment segment, out long header, out long after)
    {
        segment = Enter(position >> _shift);
        header = TMem.Load(ref segment.Header(position));
        if (RecordFormat.Kind(header) == RecordKind.BatchPad)
        {
            position = segment.NextSegmentStart;
            segment = Enter(position >> _shift);
            header = TMem.Load(ref segment.Header(position));
        }
        bool isPiece = RecordFormat.Kind(header) is RecordKind.BatchFragment or RecordKind.BatchData;
        after = isPiece ? After(segment, position, RecordFormat.Length(header)) : position;
        return isPiece;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Verify(Segment segment, long position, long header, ReadOnlySpan<byte> payload)
    {
        if (!_check.Fits(header, position, payload))
        {
            ThrowDamaged(segment, position);
        }
    }

    private static long After(Segment segment, long position, int length)
    {
        long after = segment.After(position, length);
        return after >= 0 ? after : throw Corrupt(segment, position, $"a record of {length} bytes, which would end outside of the segment");
    }

    private Segment Enter(long index)
    {
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
            ObjectDisposedException.ThrowIf(_disposed, this);
            entering?.Invoke();
            Segment segment = table.Pin(index) ?? throw new QueueCorruptException(
                table.PathOf(index), 0, "the segment that the next message is in does not exist. Restore it from a backup.");
            table.Unpin(_previous);
            _previous = _current;
            _current = segment;
            return segment;
        }
    }

    private static void ThrowDamaged(Segment segment, long position) =>
        throw Corrupt(segment, position, "the record's check does not fit its bytes");

    private static QueueCorruptException Corrupt(Segment segment, long position, string what) => new(
        segment.Path, position & (segment.Size - 1),
        $"{what}. The position was not moved; SkipCorrupt() steps over the damaged message.");

    /// <summary>Gives the pinned segments back. Calls that are inside go on with what they have.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            (Segment? current, Segment? previous) = (_current, _previous);
            _disposed = true;
            _current = _previous = null;
            table.Unpin(current);
            table.Unpin(previous);
        }
    }
}
