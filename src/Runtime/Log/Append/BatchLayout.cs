namespace BlitQueue.Log;

/// <summary>How a batch lies in the log: the word that announces it, and its messages in segments.</summary>
/// <remarks>
/// The 8 bytes that announce a batch: in the low 40 bits how many bytes of log its records take, above them the high bits of the sum of the
/// records' headers. So the records of a batch that was never announced, which a power loss may bring back, are not taken for those of a
/// later one in the same place.
/// </remarks>
internal static class BatchLayout
{
    private const long BytesMask = (1L << 40) - 1;

    /// <summary>
    /// What stands where a batch will be announced, while its records are written; no batch is announced so. Behind a header of zero it
    /// says that the records behind it were never published, where zeros would be what damage left.
    /// </summary>
    public const long BeingWritten = -1;

    /// <summary>What the record that announces a batch takes of the log, bytes: the batch's first record is behind it.</summary>
    public static long AnnouncementExtent => RecordFormat.Extent(sizeof(long));

    /// <summary>What announces a batch.</summary>
    /// <param name="bytes">From the announcing record's end to the last record's.</param>
    /// <param name="headers">The headers of the records between, added up.</param>
    public static long Announcement(long bytes, long headers) => (headers & ~BytesMask) | bytes;

    public static long AnnouncedBytes(long announcement) => announcement & BytesMask;

    /// <summary>Whether the batch was announced with records of these headers.</summary>
    public static bool Fits(long announcement, long headers) => ((announcement ^ headers) & ~BytesMask) == 0;

    /// <summary>How many bytes of a message come next.</summary>
    /// <param name="meta">The queue.</param>
    /// <param name="room">What a payload may take where the batch is, bytes.</param>
    /// <param name="length">What is left of the message.</param>
    /// <param name="properties">How many bytes of properties that begins with.</param>
    /// <returns>-1 where the batch goes on in the next segment.</returns>
    public static int NextPiece(QueueMeta meta, int room, int length, int properties)
    {
        // A message that fits into a segment is not split: it goes to the next one where it is in one piece.
        if (length <= meta.LongestRecord)
        {
            return room < length ? -1 : length;
        }
        // Properties stand in the first piece as a whole.
        return room < RecordFormat.HeaderSize + properties ? -1 : Math.Min(room, length - 1) & ~7;
    }

    /// <summary>The position behind a batch, or behind a single message, that is appended at a position; as it is written.</summary>
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
