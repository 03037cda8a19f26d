using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// What is in the log and is no message: holes, the log's end, the rest of a batch; and where the log goes on behind it.
/// </content>
internal sealed partial class RecordReader<TMem>
{
    /// <summary>The text for a record that was changed.</summary>
    public const string NotWhole = "the record's check does not fit its bytes";

    /// <summary>
    /// The exception for a position at which no message can be read, although there should be one. It names both ends of the hole.
    /// </summary>
    public QueueCorruptException Damaged(long position, string what, Exception? cause = null)
    {
        long? end = EndOfHole(position);
        string affected = end is null
            ? $"What stood at position {position} cannot be read, and no whole message was found behind it."
            : $"What stood between the positions {position} and {end} cannot be read; behind it the log goes on. SkipCorrupt() passes all "
                + "of it, a cursor does by Seek(HoleEnd).";
        return new QueueCorruptException(
            table.PathOf(position >> _shift), position & (meta.SegmentSize - 1),
            $"{what}. {affected} {QueueCorruptException.RepairAdvice(table.Directory)}", cause)
        {
            Hole = end is { } behind ? (position, behind) : null,
        };
    }

    /// <summary>
    /// Counts a damage that a caller is told. Not called for what another consumer has taken meanwhile, whose bytes may be anything.
    /// </summary>
    /// <returns>The same exception.</returns>
    public QueueCorruptException Met(QueueCorruptException damage) => table.Damages.Note(damage);

    /// <summary>Whether the log ends at a position where no message was found; false if there is a record by now.</summary>
    /// <exception cref="QueueCorruptException">The log goes on behind the position: the record there was lost.</exception>
    public bool EndsAt(long position)
    {
        long? tail = table.Tail<TMem>();
        if (!(position < tail))
        {
            return true;
        }
        // With a limit, there may be a record that is behind the limit.
        return TMem.Load(ref Enter(position).Header(position)) == 0
            ? throw Damaged(position, "nothing stands there, though the log goes on: a part of the file was lost")
            : limit is not null;
    }

    [DoesNotReturn]
    private void ThrowDamaged(long position) => throw Damaged(position, NotWhole);

    // The position of the first message behind another position: a record's check shows that it belongs at its position. The tail if there
    // is no message before it; null if nothing says how far the log goes, or if a whole file is no segment of this queue, because a repair
    // may find records in it.
    private long? EndOfHole(long from)
    {
        long? tail = table.Tail<TMem>();
        long end = tail ?? long.MaxValue, position = from;
        bool isFound = false;
        try
        {
            while (!isFound && position < end)
            {
                long index = position >> _shift;
                Segment? segment = table.PinIfStill(index);
                if (segment is null && tail is null)
                {
                    return null;
                }
                isFound = segment is not null && TryFindMessage(segment, ref position, from, end);
                if (!isFound)
                {
                    position = (segment is null ? table.NextThere(index) : index + 1) is { } next ? meta.FirstOf(next) : end;
                }
                table.Unpin(segment);
            }
        }
        catch (QueueCorruptException)
        {
            // Damage behind the position is reported when a consumer comes to it.
        }
        return Math.Min(position, end) is var behind && behind > from ? behind : null;
    }

    private bool TryFindMessage(Segment segment, ref long position, long from, long end)
    {
        var search = new RecordSearch(meta);
        while (position >= 0 && position < end && position >> _shift == segment.Index)
        {
            if (!search.TryRecord(segment, position, out long header, out long after))
            {
                after = search.FindNext(segment, position + RecordFormat.HeaderSize, alone: false, Math.Min(end, segment.End));
            }
            else if (position > from && RecordFormat.Kind(header).BeginsMessage())
            {
                return true;
            }
            position = after;
        }
        return false;
    }

    /// <summary>The position behind a batch that began in a deleted segment; the given position if there is no such batch.</summary>
    /// <param name="position">
    /// The position of the first record of the first existing segment, which cannot be deleted in the meantime.
    /// </param>
    public long SkipCutBatch(long position)
    {
        try
        {
            while (TrySkipInBatch(ref position))
            {
            }
        }
        catch (QueueCorruptException)
        {
            // A consumer that begins there gets the exception.
        }
        return position;
    }

    private bool TrySkipInBatch(ref long position)
    {
        Segment segment = Enter(position);
        long header = TMem.Load(ref segment.Header(position));
        RecordKind kind = RecordFormat.Kind(header);
        if (!kind.IsInBatch())
        {
            return false;
        }
        long after = kind.IsPad() ? segment.NextSegmentStart : After(segment, position, RecordFormat.Length(header));
        Verify(segment, position, header, kind.IsPad() ? [] : segment.Payload(position, RecordFormat.Length(header)));
        position = after;
        return true;
    }
}
