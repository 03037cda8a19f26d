namespace BlitQueue.Log;

/// <summary>The layout of a batch in the log: the word that announces it, and how its messages are divided among segments.</summary>
/// <remarks>
/// The announcing word has 8 bytes: the low 40 bits are how many bytes of log the records take, the others are the high bits of the sum of
/// the records' headers. After a power loss, the records of a batch that was never announced may be on the disk: because of the sum, no
/// reader takes them for those of a later batch at the same position.
/// </remarks>
internal static class BatchLayout
{
    private const long BytesMask = (1L << 40) - 1;

    /// <summary>
    /// The announcing word while the batch's records are written; no complete batch has this value. Behind a zero header it says that the
    /// records that follow were never published; zeros there are the result of damage.
    /// </summary>
    public const long BeingWritten = -1;

    /// <summary>How many bytes of log the announcing record takes: the batch's first record is behind it.</summary>
    public static long AnnouncementExtent => RecordFormat.Extent(sizeof(long));

    /// <summary>The announcing word of a complete batch.</summary>
    /// <param name="bytes">From the announcing record's end to the last record's.</param>
    /// <param name="headers">The sum of the headers of the records between.</param>
    public static long Announcement(long bytes, long headers) => (headers & ~BytesMask) | bytes;

    public static long AnnouncedBytes(long announcement) => announcement & BytesMask;

    /// <summary>Whether an announcing word is that of a batch whose records' headers have this sum.</summary>
    public static bool Fits(long announcement, long headers) => ((announcement ^ headers) & ~BytesMask) == 0;

    /// <summary>The length of a message's next piece, bytes.</summary>
    /// <param name="meta">The queue's settings.</param>
    /// <param name="room">The longest payload at the batch's current position, bytes.</param>
    /// <param name="length">How many bytes of the message are left.</param>
    /// <param name="properties">How many bytes of properties come first.</param>
    /// <returns>-1 if the batch goes on in the next segment.</returns>
    public static int NextPiece(QueueMeta meta, int room, int length, int properties)
    {
        // A message that fits into one segment is not split: it goes into the next segment in one piece.
        if (length <= meta.LongestRecord)
        {
            return room < length ? -1 : length;
        }
        // The properties must be in the first piece, all of them.
        return room < RecordFormat.HeaderSize + properties ? -1 : Math.Min(room, length - 1) & ~7;
    }

    /// <summary>The position behind a batch, or behind a single message, if it is appended at this position.</summary>
    public static long End(StagedBatch batch, QueueMeta meta, long position)
    {
        long end = position;
        if (!batch.IsOneRecord(meta))
        {
            end = (Room(end) < 2 * RecordFormat.HeaderSize ? meta.FirstBehind(end) : end) + AnnouncementExtent;
        }
        for (int i = 0; i < batch.Count; i++)
        {
            int length = batch[i].Length, properties = batch.PropertiesLength(i);
            do
            {
                int piece = NextPiece(meta, Room(end), length, properties);
                if (piece < 0)
                {
                    end = meta.FirstBehind(end);
                    piece = NextPiece(meta, Room(end), length, properties);
                }
                end += RecordFormat.Extent(piece);
                length -= piece;
                properties = 0;
            }
            while (length > 0);
        }
        return end;

        int Room(long at) => RecordFormat.Room(meta.SegmentSize - (at & (meta.SegmentSize - 1)));
    }
}
