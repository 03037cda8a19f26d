using System.Buffers.Binary;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Walks a log's records and checks each one, for when nothing but the bytes themselves is to be believed.</summary>
/// <param name="files">The queue's files.</param>
/// <param name="meta">The queue's settings.</param>
/// <param name="firstIndex">The first segment.</param>
/// <param name="lastIndex">The last segment.</param>
/// <param name="passed">Told of each record's position, and the end's, in order; of some behind the end too.</param>
internal sealed class LogScan(QueueFiles files, QueueMeta meta, long firstIndex, long lastIndex, Action<long> passed) : IDisposable
{
    private readonly RecordCheck _check = new(meta);
    private MappedRegion? _region;
    private Segment? _segment;

    /// <summary>The first record that is not of a batch whose beginning is gone; known when the end is.</summary>
    public long First { get; private set; }

    /// <summary>The position behind the last record that stands up.</summary>
    /// <param name="isClean">Whether a header of zero stands there, as it does at the end of an undamaged log.</param>
    public long FindEnd(out bool isClean)
    {
        long position = First = SkipCutBatch(meta.FirstOf(firstIndex));
        isClean = false;
        while (TryEnter(position, out Segment segment))
        {
            long header = MachineMemory.Load(ref segment.Header(position));
            if (header == 0)
            {
                passed(position);
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
            && RecordFormat.Kind(header).IsInBatch()
            && TryStep(position, header, isInBatch: true, out long after))
        {
            position = after;
        }
        return position;
    }

    private bool TryStep(long position, long header, bool isInBatch, out long after)
    {
        after = position;
        passed(position);
        // A pad of no length may stand in a segment's last 8 bytes; nothing else may end there.
        RecordKind kind = RecordFormat.Kind(header);
        bool isPad = kind.IsPad() && RecordFormat.Length(header) == 0;
        // A record that only counts inside a batch, where there is none: left over from one that was never announced.
        if (kind.IsInBatch() != isInBatch
            || !TryEnter(position, out Segment segment)
            || (!isPad && segment.After(position, RecordFormat.Length(header)) < 0))
        {
            return false;
        }
        if (kind.IsEmpty())
        {
            after = segment.After(position, RecordFormat.Length(header));
            return _check.FitsEmpty(header, position);
        }
        if (!_check.Fits(header, position, segment.Payload(position, RecordFormat.Length(header))))
        {
            return false;
        }
        ReadOnlySpan<byte> payload = segment.Payload(position, RecordFormat.Length(header));
        after = segment.After(position, payload.Length);
        if (kind.HasProperties())
        {
            // The header's page may be older on disk than the record's.
            segment.NoteStamped(PropertyBlock.StampOf(payload));
        }
        if (kind.IsPad())
        {
            after = segment.NextSegmentStart;
            return true;
        }
        return kind.HoldsMessage()
            || (kind == RecordKind.Batch && payload.Length == sizeof(long)
                && TryWalkBatch(BinaryPrimitives.ReadInt64LittleEndian(payload), ref after));
    }

    // All of a batch counts, or none.
    private bool TryWalkBatch(long announced, ref long after)
    {
        long end = after + BatchWord.Bytes(announced), headers = 0;
        while (after < end && TryEnter(after, out Segment segment))
        {
            long header = MachineMemory.Load(ref segment.Header(after));
            if (!TryStep(after, header, isInBatch: true, out after))
            {
                return false;
            }
            headers += header;
        }
        return after == end && BatchWord.Fits(announced, headers);
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
        segment = _segment = new Segment(_region, meta, index, files.PathOf(name));
        return true;
    }

    public void Dispose() => _region?.Dispose();
}
