using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>One mapped segment, whose records callers address by their position.</summary>
internal sealed class Segment(MappedRegion region, QueueMeta meta, long index, string path)
{
    private readonly PositionedMemory _memory = region.ByPosition(index * region.Length);

    // While the kernel does this, it blocks whatever changes the process's mappings, the garbage collector among others: for a millisecond
    // at a time at most.
    private const long PopulatedAtOnce = 1 << 20;

    private long _populated;

    // Only the holder of the append lock uses it.
    private long _reserved = region.Length;

    /// <summary>As <see cref="CallGate.NumberMapping"/>.</summary>
    public long Mapping { get; init; }

    /// <summary>Position divided by the segment size.</summary>
    public long Index { get; } = index;

    public string Path { get; } = path;

    public long Size { get; } = region.Length;

    /// <summary>The position behind its last byte.</summary>
    public long End { get; } = (index + 1) * region.Length;

    /// <summary>The header of the record at a position in this segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long Header(long position) => ref _memory.Word(position);

    /// <summary>Computes the header of a record whose payload is written at its final address.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long HeaderOf(in RecordCheck check, RecordKind kind, long position, int length) => check.CoversPayload
        ? check.Header(kind, position, Payload(position, length))
        : check.Header(kind, position, length);

    /// <summary>The payload of the record at a position. Throws where it would leave the segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Payload(long position, int length) => _memory.BytesBehindWord(position, length);

    /// <summary>
    /// How many bytes a payload at this position may have so that the header behind it is still in the segment: so there is always room for
    /// padding. Negative where not even an empty record fits.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Room(long position) =>
        RecordFormat.Room(Size - _memory.OffsetOf(position));

    /// <summary>As <see cref="Room"/>, for appenders, which use only what has blocks of the disk.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int RoomToAppend(long position) => RecordFormat.Room(_reserved - _memory.OffsetOf(position));

    /// <summary>Notes how many of its bytes have blocks of the disk. Callers hold the append lock.</summary>
    public void NoteReserved(long bytes) => _reserved = bytes;

    /// <summary>The position behind the last byte that has a block of the disk, as far as is noted.</summary>
    public long ReservedEnd => (Index * Size) + _reserved;

    /// <summary>
    /// The slot of a record with a payload of this length, and of the header behind it, where there is room for both at a position in this
    /// segment.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlot(long position, int length, out RecordSlot slot) => _memory.TryGetSlot(position, length, out slot);

    /// <summary>
    /// The window in which one appender alone writes from a position on: to another position, or as far as the segment has room for one
    /// more header.
    /// </summary>
    public AppendWindow Window(long position, long end) => _memory.Window(position, end);

    /// <summary>
    /// Where the record behind one with a payload of this length starts; -1 where the length cannot be right, as the header is damaged.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long After(long position, int length)
    {
        long after = _memory.OffsetOf(position) + RecordFormat.Extent(length);
        return after <= Size - RecordFormat.HeaderSize ? position + RecordFormat.Extent(length) : -1;
    }

    /// <summary>
    /// Where the record behind one with this header starts; behind padding that is in the next segment. -1: the header is damaged.
    /// </summary>
    public long Behind(long position, long header) =>
        RecordFormat.Kind(header).IsPad() ? NextSegmentStart : After(position, RecordFormat.Length(header));

    /// <summary>The position of the first record in the segment behind this one.</summary>
    public long NextSegmentStart => meta.FirstOf(Index + 1);

    /// <summary>Whether the file's header says that it is the segment with this index.</summary>
    public bool SaysItIs(long index) => MachineMemory.Load(ref region.Word(SegmentFormat.BaseOffset)) == index * Size;

    /// <summary>Notes when the first record is appended, for ages and retention. Callers hold the append lock.</summary>
    public void NoteEntered()
    {
        if (region.Word(SegmentFormat.EnteredOffset) == 0)
        {
            MachineMemory.Store(ref region.Word(SegmentFormat.EnteredOffset), DateTime.UtcNow.Ticks);
        }
    }

    /// <summary>
    /// Notes a record's timestamp before the record is published, so that no search for later ones skips it. Callers hold the append
    /// lock.
    /// </summary>
    public void NoteStamped(long ticks)
    {
        if (ticks > region.Word(SegmentFormat.StampedOffset))
        {
            MachineMemory.Store(ref region.Word(SegmentFormat.StampedOffset), ticks);
        }
    }

    /// <summary>The notes in the header about how many messages there are.</summary>
    public SegmentCounts Counts => new(region, meta, Index);

    /// <summary>The file's id, which tells it from every other file, whatever its name.</summary>
    public Guid FileId => SegmentHeader.FileId(region);

    /// <summary>The same mapping as another segment, after its file was given that segment's name.</summary>
    public Segment As(long index, string path) => new(region, meta, index, path) { Mapping = Mapping, _populated = _populated };

    /// <summary>
    /// Makes some more of the mapping's pages present for writing. A mapping that is reused for a later segment has them already.
    /// </summary>
    /// <returns>false when all of them are.</returns>
    public bool PopulateMore(bool inMemory)
    {
        if (_populated >= Size)
        {
            return false;
        }
        long length = Math.Min(PopulatedAtOnce, Size - _populated);
        Platform.CurrentPlatform.Instance.TryPopulate(region.AddressOf(_populated), length, inMemory);
        _populated += length;
        return true;
    }

    /// <summary>
    /// Syncs a range of positions in this segment to the disk. Where the range has the segment's first or last position, the segment's
    /// header too.
    /// </summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync(long from, long to)
    {
        long start = from - (Index * Size);
        region.Sync(start <= meta.HeaderSize ? 0 : start, to - (Index * Size));
        if (start > meta.HeaderSize && to == End)
        {
            // From here on, what the header says about its records is complete.
            SyncHeader();
        }
    }

    /// <summary>Syncs the segment's header to the disk.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void SyncHeader() => region.Sync(0, meta.HeaderSize);

    /// <summary>Asks the system to read the whole file ahead.</summary>
    public void ReadAhead() => region.ReadAhead(0, Size);

    public void Unmap() => region.Dispose();
}
