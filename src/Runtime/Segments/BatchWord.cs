namespace BlitQueue.Segments;

/// <summary>
/// The 8 bytes that announce a batch: in the low 40 bits how many bytes of log its records take, above them the high bits of the sum of the records' headers.
/// So the records of a batch that was never announced, which a power loss may bring back, are not taken for those of a later one in the same place.
/// </summary>
internal static class BatchWord
{
    private const long BytesMask = (1L << 40) - 1;

    /// <param name="bytes">From the announcing record's end to the last record's.</param>
    /// <param name="headers">The headers of the records between, added up.</param>
    public static long Of(long bytes, long headers) => (headers & ~BytesMask) | bytes;

    public static long Bytes(long word) => word & BytesMask;

    /// <summary>Whether the batch was announced with records of these headers.</summary>
    public static bool Fits(long word, long headers) => ((word ^ headers) & ~BytesMask) == 0;
}
