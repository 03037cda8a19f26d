namespace BlitQueue.Log;

/// <summary>
/// A segment: a file of a fixed size, a power of two, with the records of one range of positions. Its first page or pages are the header,
/// which also describes the message type:
/// <code>
/// offset  size
///      0     8  magic "BLITSEG1"
///      8    16  queue id
///     24     8  base position: the position of this file's first byte
///     32     8  segment size in bytes
///     40    16  file id: random, made with the file; stays when it becomes a later segment
///     56     8  when the first record was written, UTC ticks; 0 = none was
///     64     8  the latest time of one of its records, UTC ticks; 0 = none has one
///     72     8  fingerprint of the schema
///     80     4  bytes of the schema, compressed
///     84     4  bytes of its text
///     88        the schema's text, UTF-8, as one Brotli stream
///   -640   528  at the header's end, if the schema leaves room: how many messages there are, see <see cref="SegmentCounts"/>
///   4096        records, or behind as many pages more as queue.meta says
/// </code>
/// </summary>
internal static class SegmentFormat
{
    public const long Magic = 0x3147_4553_5449_4C42;
    public const int MagicOffset = 0, IdOffset = 8, BaseOffset = 24, SizeOffset = 32, FileIdOffset = 40, EnteredOffset = 56,
        StampedOffset = 64, SchemaOffset = 72, SchemaLengthOffset = 80;

    /// <summary>A header has whole pages of so many bytes.</summary>
    public const int PageSize = 4096;

    /// <summary>The smallest segment, bytes.</summary>
    public const long MinimumSize = 64 * 1024;

    /// <summary>Up to this size, bytes, a queue's first segment is reserved as a whole, as all others are; a larger one in steps.</summary>
    public const long LargestAtOnce = 2 << 20;

    /// <summary>The largest segment, bytes: a record's length has 28 bits, and a span's length 31.</summary>
    public const long MaximumSize = 1L << 30;

    // A queue whose consumers keep up goes round three segments: the one that is written, the one made ahead, the one just passed. In
    // memory these should stay in the processor's cache. On a disk it is few files that matter.
    private const int Round = 3;
    private const long DefaultSizeInMemory = 4 << 20;
    private const long DefaultSizeOnDisk = 64 << 20;

    /// <summary>The size of a new queue's segments where the options do not say it, bytes.</summary>
    public static long DefaultSizeIn(bool isMemory) => isMemory ? DefaultSizeInMemory : DefaultSizeOnDisk;

    /// <summary>
    /// How many bytes of a log in memory go round, where no capacity says it: a new file costs several times as much as one that is used
    /// again, and more than the processor's cache has room for costs as much.
    /// </summary>
    public static long RoundInMemory(long size) => Round * Math.Min(size, DefaultSizeInMemory);
}
