namespace BlitQueue.Log;

/// <summary>
/// A record: one 8-byte header, which is published in one piece, then its payload, padded to a multiple of 8.
/// <code>
/// bits  0..27  payload length in bytes
/// bits 28..31  kind (<see cref="RecordKind"/>), never 0 in a published header
/// bits 32..63  check: over payload, position and queue id (<see cref="RecordCheck"/>)
/// </code>
/// A header of zero says that nothing was published at this position yet. Before a record is published, the header behind it is set to
/// zero, so the first zero header ends the log.
/// </summary>
internal static class RecordFormat
{
    public const int HeaderSize = 8;

    /// <summary>The longest payload of one record, bytes.</summary>
    public const int MaximumLength = (1 << 28) - 1;

    /// <summary>The longest payload of a record, if the segment has so many bytes from the record's header on.</summary>
    /// <param name="bytes">From the record's header to the segment's end.</param>
    /// <returns>So many that the header behind the record is still in the segment; negative if not even an empty record fits.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Room(long bytes) => (int)Math.Min(bytes - (2 * HeaderSize), MaximumLength & ~7);

    /// <summary>Bytes of log that a record with this payload takes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Extent(int length) => HeaderSize + (((long)length + 7) & ~7L);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Header(RecordKind kind, int length, uint check) =>
        (long)(((ulong)check << 32) | ((uint)kind << 28) | (uint)length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(long header) => (int)(header & MaximumLength);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordKind Kind(long header) => (RecordKind)((uint)header >> 28);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Check(long header) => (uint)((ulong)header >> 32);
}
