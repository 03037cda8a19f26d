using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Writes records that become visible together, behind an announcing record whose header stays zero until the caller,
/// who holds the append lock, stores it.
/// </summary>
internal ref struct BatchWriter<TMem>
    where TMem : struct, ISharedMemory
{
    private readonly SegmentCache _table;
    private readonly QueueMeta _meta;
    private readonly RecordCheck _check;
    private readonly Segment _first;
    private readonly long _start;
    private LongCopy<TMem> _copy;

    // The sum of the headers of the records so far.
    private long _headers;

    // The segments behind the first one, which this writer has pinned.
    private List<Segment>? _pinned;

    public BatchWriter(SegmentCache table, QueueMeta meta, ControlFile control, Segment first, long start)
    {
        (_table, _meta, _check, _first, _start) = (table, meta, meta.RecordCheck, first, start);
        _copy = new LongCopy<TMem>(control, table.WritesByPage);
        LastSegment = first;
        End = start + BatchLayout.AnnouncementExtent;
        WriteAnnouncement(first, start, BatchLayout.BeingWritten);
    }

    /// <summary>The position behind the last record.</summary>
    public long End { get; private set; }

    /// <summary>The position of the first message; valid once it is written.</summary>
    public long First { get; private set; }

    /// <summary>The segment that <see cref="End"/> is in.</summary>
    public Segment LastSegment { get; private set; }

    /// <summary>Writes the whole batch. The segments that it needs must exist.</summary>
    public void Write(StagedBatch batch)
    {
        for (int i = 0; i < batch.Count; i++)
        {
            WriteMessage(batch[i], batch.PropertiesLength(i));
        }
    }

    /// <summary>Zeroes the header behind the batch, and writes the announcing word.</summary>
    /// <returns>The announcing record's header: storing it makes the whole batch visible.</returns>
    public readonly long Announce()
    {
        Debug.Assert(End < LastSegment.End, "The header behind the record lies in the segment.");
        TMem.Write(ref LastSegment.Header(End), 0);
        long bytes = End - (_start + BatchLayout.AnnouncementExtent);
        return _check.Header(RecordKind.Batch, _start, WriteAnnouncement(_first, _start, BatchLayout.Announcement(bytes, _headers)));
    }

    /// <summary>
    /// Writes the announcing word behind the header at a position; the caller stores the header later, which publishes the batch.
    /// </summary>
    /// <returns>The payload of the announcing record.</returns>
    public static Span<byte> WriteAnnouncement(Segment segment, long position, long announcement)
    {
        Span<byte> payload = segment.Payload(position, sizeof(long));
        BinaryPrimitives.WriteInt64LittleEndian(payload, announcement);
        TMem.Written(payload);
        return payload;
    }

    /// <summary>The segments that the batch has begun, in order; from now on the caller must unpin them.</summary>
    public Segment[] TakeBegun()
    {
        Segment[] begun = _pinned is null ? [] : [.. _pinned];
        _pinned = null;
        return begun;
    }

    private void WriteMessage(ReadOnlySpan<byte> message, int properties)
    {
        for (bool isSplit = false; ;)
        {
            int piece = BatchLayout.NextPiece(_meta, LastSegment.Room(End), message.Length, properties);
            if (piece == message.Length)
            {
                WriteRecord(isSplit ? RecordKind.BatchLastFragment : RecordKinds.OfMessage(isAlone: false, properties > 0), message);
                return;
            }
            if (piece >= 0)
            {
                WriteRecord(isSplit ? RecordKind.BatchMiddleFragment
                    : properties > 0 ? RecordKind.BatchFragmentWithProperties : RecordKind.BatchFragment, message[..piece]);
                isSplit = true;
                message = message[piece..];
                properties = 0;
            }
            else
            {
                Roll();
            }
        }
    }

    // Readers do not see the record as long as the announcing header is zero, so a plain store is enough.
    private void WriteRecord(RecordKind kind, ReadOnlySpan<byte> payload)
    {
        First = First == 0 ? End : First;
        _copy.Run(payload, LastSegment.Payload(End, payload.Length));
        TMem.Written(LastSegment.Payload(End, payload.Length));
        if (kind.HasProperties())
        {
            LastSegment.NoteStamped(PropertyBlock.StampOf(payload));
        }
        WriteHeader(_check.Header(kind, End, payload));
        End += RecordFormat.Extent(payload.Length);
    }

    private void WriteHeader(long header)
    {
        _headers += header;
        TMem.Write(ref LastSegment.Header(End), header);
    }

    private void Roll()
    {
        long next = LastSegment.NextSegmentStart;
        Segment segment = _table.PinMade(LastSegment.Index + 1);
        (_pinned ??= []).Add(segment);
        WriteHeader(_check.Header(RecordKind.BatchPad, End, []));
        LastSegment = segment;
        End = next;
    }

    /// <summary>Unpins the segments.</summary>
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
