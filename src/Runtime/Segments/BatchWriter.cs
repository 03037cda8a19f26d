using System.Buffers.Binary;
using System.Numerics;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Writes records that become visible together, behind an announcing record whose header stays zero until <see cref="Publish"/>. The
/// caller holds the turn.
/// </summary>
internal ref struct BatchWriter<TMem> where TMem : struct, ISharedMemory
{
    private readonly SegmentTable _table;
    private readonly SegmentKeeper _keeper;
    private readonly QueueMeta _meta;
    private readonly RecordCheck _check;
    private readonly Segment _first;
    private readonly long _start;

    // The segments behind the first that this writer has pinned.
    private List<Segment>? _pinned;

    public BatchWriter(SegmentTable table, SegmentKeeper keeper, QueueMeta meta, Segment first, long start)
    {
        (_table, _keeper, _meta, _check, _first, _start) = (table, keeper, meta, new RecordCheck(meta), first, start);
        LastSegment = first;
        End = start + RecordFormat.Extent(sizeof(long));
    }

    /// <summary>The position behind the last record.</summary>
    public long End { get; private set; }

    /// <summary>The segment that <see cref="End"/> is in.</summary>
    public Segment LastSegment { get; private set; }

    /// <returns>false when a segment must be made first.</returns>
    public bool TryWrite(StagedBatch batch)
    {
        for (int i = 0; i < batch.Count; i++)
        {
            if (!TryWriteMessage(batch[i]))
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Zeroes the header behind the batch.</summary>
    public readonly void SealNext() => LastSegment.Header(End) = 0;

    /// <summary>Makes all of it visible.</summary>
    public readonly void Publish()
    {
        Span<byte> payload = _first.Payload(_start, sizeof(long));
        BinaryPrimitives.WriteInt64LittleEndian(payload, End - (_start + RecordFormat.Extent(sizeof(long))));
        // SYNC POINT record: publishes every record of the batch and the zero header behind it to readers.
        TMem.Store(ref _first.Header(_start), _check.Header(RecordKind.Batch, _start, payload));
    }

    private bool TryWriteMessage(ReadOnlySpan<byte> message)
    {
        // A message that fits into a segment is not split: it goes to the next one where it is in one piece.
        while (message.Length > _meta.LongestRecord)
        {
            int room = LastSegment.Room(End);
            if (room < RecordFormat.HeaderSize)
            {
                if (!TryRoll())
                {
                    return false;
                }
                continue;
            }
            int piece = Math.Min(room, message.Length - 1) & ~7;
            WriteRecord(RecordKind.BatchFragment, message[..piece]);
            message = message[piece..];
        }
        if (LastSegment.Room(End) < message.Length && !TryRoll())
        {
            return false;
        }
        WriteRecord(RecordKind.BatchData, message);
        return true;
    }

    // Unpublished as long as the announcing header is zero, so plain stores do.
    private void WriteRecord(RecordKind kind, ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(LastSegment.Payload(End, payload.Length));
        LastSegment.Header(End) = _check.Header(kind, End, payload);
        End += RecordFormat.Extent(payload.Length);
    }

    private bool TryRoll()
    {
        long next = LastSegment.NextSegmentStart;
        long index = next >> BitOperations.Log2((ulong)_meta.SegmentSize);
        if (!_keeper.IsReady(index) || _table.Pin(index) is not { } segment)
        {
            return false;
        }
        (_pinned ??= []).Add(segment);
        LastSegment.Header(End) = _check.Header(RecordKind.BatchPad, End, []);
        LastSegment = segment;
        End = next;
        return true;
    }

    /// <summary>Gives the pins back.</summary>
    public readonly void Dispose()
    {
        if (_pinned is not null)
        {
            foreach (Segment segment in _pinned)
            {
                _table.Unpin(segment);
            }
        }
    }
}
