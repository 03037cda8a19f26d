using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Walks a log's records and checks each one, for when nothing but the bytes themselves is to be believed.</summary>
internal sealed class LogScan(QueueFiles files, QueueMeta meta, long firstIndex, long lastIndex) : IDisposable
{
    private readonly RecordCheck _check = new(meta);
    private MappedRegion? _region;
    private Segment? _segment;

    /// <summary>The position behind the last record that stands up.</summary>
    /// <param name="isClean">Whether a header of zero stands there, as it does at the end of an undamaged log.</param>
    public long FindEnd(out bool isClean)
    {
        long position = SkipCutBatch((firstIndex * meta.SegmentSize) + SegmentFormat.HeaderSize);
        isClean = false;
        while (TryEnter(position, out Segment segment))
        {
            long header = MachineMemory.Load(ref segment.Header(position));
            if (header == 0)
            {
                isClean = true;
                return position;
            }
            if (!TryStep(position, header, isInBatch: false, out long after))
            {
                return position;
            }
            position = after;
        }
        return position;
    }

    // The batch began in a segment that everybody has passed, so it was published.
    private long SkipCutBatch(long position)
    {
        while (TryEnter(position, out Segment segment)
            && MachineMemory.Load(ref segment.Header(position)) is var header
            && RecordFormat.Kind(header) is RecordKind.BatchData or RecordKind.BatchFragment or RecordKind.BatchPad
            && TryStep(position, header, isInBatch: true, out long after))
        {
            position = after;
        }
        return position;
    }

    private bool TryStep(long position, long header, bool isInBatch, out long after)
    {
        after = position;
        // A pad of no length may stand in a segment's last 8 bytes; nothing else may end there.
        bool isPad = RecordFormat.Kind(header) is RecordKind.Pad or RecordKind.BatchPad && RecordFormat.Length(header) == 0;
        if (!TryEnter(position, out Segment segment)
            || (!isPad && segment.After(position, RecordFormat.Length(header)) < 0)
            || !_check.Fits(header, position, segment.Payload(position, RecordFormat.Length(header))))
        {
            return false;
        }
        ReadOnlySpan<byte> payload = segment.Payload(position, RecordFormat.Length(header));
        after = segment.After(position, payload.Length);
        switch (RecordFormat.Kind(header))
        {
            case RecordKind.Data when !isInBatch:
            case RecordKind.BatchData or RecordKind.BatchFragment when isInBatch:
                return true;
            case RecordKind.Pad when !isInBatch:
            case RecordKind.BatchPad when isInBatch:
                after = segment.NextSegmentStart;
                return true;
            case RecordKind.Batch when !isInBatch && payload.Length == sizeof(long):
                return TryWalkBatch(after + BinaryPrimitives.ReadInt64LittleEndian(payload), ref after);
            default:
                // A record that only counts inside a batch: left over from one that was never announced.
                return false;
        }
    }

    // All of a batch counts, or none.
    private bool TryWalkBatch(long end, ref long after)
    {
        while (after < end && TryEnter(after, out Segment segment))
        {
            long header = MachineMemory.Load(ref segment.Header(after));
            if (!TryStep(after, header, isInBatch: true, out after))
            {
                return false;
            }
        }
        return after == end;
    }

    private bool TryEnter(long position, out Segment segment)
    {
        long index = position / meta.SegmentSize;
        if (_segment?.Index == index)
        {
            segment = _segment;
            return true;
        }
        segment = null!;
        if (index > lastIndex)
        {
            return false;
        }
        _region?.Dispose();
        string name = StoreFormat.SegmentName(index * meta.SegmentSize);
        _region = files.Map(name, meta.SegmentSize);
        SegmentFormat.Verify(_region, meta, index, files.PathOf(name));
        segment = _segment = new Segment(_region, index, files.PathOf(name));
        return true;
    }

    public void Dispose() => _region?.Dispose();
}
