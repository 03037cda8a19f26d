using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>One mapped segment: records by their position.</summary>
internal sealed class Segment(MappedRegion region, QueueMeta meta, long index, string path)
{
    private readonly PositionedMemory _memory = region.ByPosition(index * region.Length);

    // The kernel keeps out meanwhile what changes the process's mappings, the garbage collector among
    // them: a millisecond at a time, no more.
    private const long PopulatedAtOnce = 1 << 20;

    private long _populated;

    /// <summary>Position divided by the segment size.</summary>
    public long Index { get; } = index;

    public string Path { get; } = path;

    public long Size { get; } = region.Length;

    /// <summary>The position behind its last byte.</summary>
    public long End { get; } = (index + 1) * region.Length;

    /// <summary>The header of the record at a position in this segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long Header(long position) => ref _memory.Word(position);

    /// <summary>The header of a record whose payload is in its place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long HeaderOf(in RecordCheck check, RecordKind kind, long position, int length) => check.CoversPayload
        ? check.Header(kind, position, Payload(position, length))
        : check.Header(kind, position, length);

    /// <summary>The payload of the record at a position; refused where it would leave the segment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Payload(long position, int length) => _memory.BytesBehindWord(position, length);

    /// <summary>
    /// Bytes a payload at this position may take, so that the header behind it still lies in the segment: there is always room to pad.
    /// Negative where not even an empty record fits.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Room(long position) =>
        RecordFormat.Room(Size - _memory.OffsetOf(position));

    /// <summary>
    /// A record with a payload of this length, and the header behind it, where a position in this segment leaves room for them.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlot(long position, int length, out RecordSlot slot) => _memory.TryGetSlot(position, length, out slot);

    /// <summary>
    /// Where one appender alone goes on from a position, as far as another, or as the segment has room for a header more.
    /// </summary>
    public AppendWindow Window(long position, long end) => _memory.Window(position, end);

    /// <summary>Where the record behind one with this payload starts, or -1 where that cannot be: the header is damaged.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long After(long position, int length)
    {
        long after = _memory.OffsetOf(position) + RecordFormat.Extent(length);
        return after <= Size - RecordFormat.HeaderSize ? position + RecordFormat.Extent(length) : -1;
    }

    /// <summary>
    /// Where the record behind one with this header starts: behind padding, in the next segment. -1: the header is damaged.
    /// </summary>
    public long Behind(long position, long header) =>
        RecordFormat.Kind(header).IsPad() ? NextSegmentStart : After(position, RecordFormat.Length(header));

    /// <summary>The first record's position of the segment behind this one.</summary>
    public long NextSegmentStart => meta.FirstOf(Index + 1);

    /// <summary>Whether the file's header says that it is the segment with this index.</summary>
    public bool SaysItIs(long index) => MachineMemory.Load(ref region.Word(SegmentFormat.BaseOffset)) == index * Size;

    /// <summary>Notes when the first record goes in, for ages and retention. Called by the holder of the append lock.</summary>
    public void NoteEntered()
    {
        if (region.Word(SegmentFormat.EnteredOffset) == 0)
        {
            MachineMemory.Store(ref region.Word(SegmentFormat.EnteredOffset), DateTime.UtcNow.Ticks);
        }
    }

    /// <summary>
    /// Notes the time that a record bears, before it is published: so nobody who looks for later ones passes it by.
    /// Called by the holder of the append lock.
    /// </summary>
    public void NoteStamped(long ticks)
    {
        if (ticks > region.Word(SegmentFormat.StampedOffset))
        {
            MachineMemory.Store(ref region.Word(SegmentFormat.StampedOffset), ticks);
        }
    }

    /// <summary>What the header notes of how many messages there are.</summary>
    public SegmentCounts Counts => new(region, meta, Index);

    /// <summary>Tells this file from every other, whatever its name.</summary>
    public Guid FileId => SegmentHeader.FileId(region);

    /// <summary>The same mapping as the segment that its file is by now.</summary>
    public Segment As(long index, string path) => new(region, meta, index, path) { _populated = _populated };

    /// <summary>Makes some more of the mapping's pages present for writing: a mapping that goes on as a later segment has them.</summary>
    /// <returns>false when all of them are.</returns>
    public bool PopulateMore(bool inMemory)
    {
        if (_populated >= Size)
        {
            return false;
        }
        long length = Math.Min(PopulatedAtOnce, Size - _populated);
        Platform.CurrentPlatform.Instance.Populate(region.AddressOf(_populated), length, inMemory);
        _populated += length;
        return true;
    }

    /// <summary>
    /// Brings a stretch of positions in this segment to the disk; with its beginning, and with its end, the segment's header too.
    /// </summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync(long from, long to)
    {
        long start = from - (Index * Size);
        region.Sync(start <= meta.HeaderSize ? 0 : start, to - (Index * Size));
        if (start > meta.HeaderSize && to == End)
        {
            // What it says of its records is complete from here on.
            SyncHeader();
        }
    }

    /// <summary>Brings the segment's header to the disk.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void SyncHeader() => region.Sync(0, meta.HeaderSize);

    /// <summary>Has the system begin to read all of it.</summary>
    public void ReadAhead() => region.ReadAhead(0, Size);

    public void Unmap() => region.Dispose();
}
