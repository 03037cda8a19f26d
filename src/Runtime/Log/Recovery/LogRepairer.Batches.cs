using System.Buffers.Binary;

namespace BlitQueue.Log;

/// <content>
/// Batches. Where one record of a batch cannot be read, and its header alone is damaged, the header is made again. Else, where the batch
/// was published, its whole messages are announced anew: those in front of the damage by the batch's own record, which is shortened, and
/// those behind it by a record in what was emptied there. So messages stay that stand in pieces, which count in a batch alone.
/// </content>
internal sealed partial class LogRepairer
{
    // The last stretch of the log that was emptied, and is not followed by anything else yet.
    private (long From, long To) _emptied;

    // How far the log reached at least, by the batches that were published.
    private long _announcedEnd;

    // In front of it all was published.
    private long PublishedEnd => Math.Max(_knownEnd, _announcedEnd);

    // The end is the announced one, whether or not the batch is whole. One record that cannot be read is made again where the sum of all
    // headers, which is announced, shows what it was.
    private bool TryBatch(long position, long start, out long end)
    {
        long announced = BinaryPrimitives.ReadInt64LittleEndian(At(position).Segment.Payload(position, sizeof(long)));
        end = start + BatchLayout.AnnouncedBytes(announced);
        _announcedEnd = MayBeTorn(position) ? _announcedEnd : Math.Max(_announcedEnd, end);
        long at = start, headers = 0;
        (long At, long After)? unread = null;
        var counts = new Dictionary<long, long>();
        while (at < end && IsInside(at))
        {
            if (TryRecord(at, out long header, out long after) && RecordFormat.Kind(header).IsInBatch())
            {
                Count(counts, at, header);
                headers += header;
                at = after;
            }
            else if (unread is null)
            {
                unread = (at, NextInBatch(at, end));
                at = unread.Value.After;
            }
            else
            {
                return false;
            }
        }
        bool isWhole = at == end
            && (unread is { } one ? TryMakeAgain(one.At, one.After, announced, headers, counts) : BatchLayout.Fits(announced, headers));
        if (isWhole)
        {
            Add(counts);
        }
        return isWhole;
    }

    private long NextInBatch(long position, long end)
        => FindNext(position + RecordFormat.HeaderSize, alone: false) is var next and > 0 ? Math.Min(next, end) : end;

    // Of one record that cannot be read, in a batch in which all others can. Where its payload is damaged none fits.
    private bool TryMakeAgain(long position, long after, long announced, long otherHeaders, Dictionary<long, long> counts)
    {
        foreach (long header in HeadersBetween(position, after))
        {
            if (BatchLayout.Fits(announced, otherHeaders + header))
            {
                Report(position, RecordFormat.HeaderSize, "a record's header, made again: the batch's sum shows what it was", messages: 0);
                At(position).Write(position, header);
                Count(counts, position, header);
                return true;
            }
        }
        return false;
    }

    // Of each record that could stand between two positions inside a batch.
    private IEnumerable<long> HeadersBetween(long position, long after)
    {
        if (after == meta.FirstBehind(position))
        {
            yield return _check.Header(RecordKind.BatchPad, position, []);
        }
        if (after >= EndOf(position))
        {
            yield break;
        }
        int longest = (int)(after - position) - RecordFormat.HeaderSize;
        for (int length = longest; length >= 0 && RecordFormat.Extent(length) == RecordFormat.Extent(longest); length--)
        {
            foreach (RecordKind kind in RecordKinds.OfMessagesInBatch)
            {
                yield return _check.Header(kind, position, At(position).Segment.Payload(position, length));
            }
        }
    }

    // Of a batch that is not whole, and was published: announces the whole messages at its beginning. The end is theirs then.
    private bool TryShorten(long position, long start, ref long end)
    {
        if (MayBeTorn(position) || WholeMessages(start, end) is not { } messages)
        {
            return false;
        }
        HasHoles = true;
        if (messages.End >= end)
        {
            Report(position, 0, "a batch that was announced with other records than those that are there: they stay", messages: 0);
        }
        Announce(position, messages.End - start, messages.Headers);
        Add(messages.Counts);
        end = messages.End;
        return true;
    }

    // Behind a stretch that was emptied: announces the whole messages that follow in one batch. What was emptied in front of them has room
    // for that, but where the damage took less than the record that announces them.
    private bool TryAnnounce(long position, out long end)
    {
        end = position;
        bool isFirst = position == meta.FirstOf(position / meta.SegmentSize);
        // Behind the end of a segment the batch leads there from the one before.
        long behind = isFirst ? position - meta.HeaderSize : position, pad = isFirst ? RecordFormat.HeaderSize : 0;
        long at = behind - pad - BatchLayout.AnnouncementExtent;
        if (MayBeTorn(position) || _emptied.To != position || at < Math.Max(_emptied.From, meta.FirstOf(at / meta.SegmentSize))
            || WholeMessages(position) is not { } messages)
        {
            return false;
        }
        Empty(At(at), Math.Max(_emptied.From, meta.FirstOf(at / meta.SegmentSize)), at);
        long headers = messages.Headers;
        if (isFirst)
        {
            long header = _check.Header(RecordKind.BatchPad, behind - pad, []);
            At(at).Clear(at, behind);
            At(at).Write(behind - pad, header);
            headers += header;
        }
        Announce(at, messages.End - at - BatchLayout.AnnouncementExtent, headers);
        Add(messages.Counts);
        end = messages.End;
        return true;
    }

    private void Announce(long position, long bytes, long headers)
    {
        Span<byte> payload = stackalloc byte[sizeof(long)];
        long announcement = BatchLayout.Announcement(bytes, headers);
        BinaryPrimitives.WriteInt64LittleEndian(payload, announcement);
        At(position).Write(position, _check.Header(RecordKind.Batch, position, payload), announcement);
    }

    // From a position on, as many messages of a batch as follow each other, each with all of its pieces.
    private (long End, long Headers, Dictionary<long, long> Counts)? WholeMessages(long start, long limit = long.MaxValue)
    {
        (long End, long Headers, Dictionary<long, long> Counts) whole = (start, 0, []);
        bool isOpen = false;
        for (long at = start, headers = 0; at < limit && IsInside(at) && TryRecord(at, out long header, out long after); at = after)
        {
            RecordKind kind = RecordFormat.Kind(header);
            if (!kind.IsInBatch() || (!kind.IsPad() && kind.ContinuesMessage() != isOpen))
            {
                break;
            }
            headers += header;
            isOpen = kind.IsPad() ? isOpen : kind.IsFragment();
            if (kind.EndsMessage())
            {
                Count(whole.Counts, at, header);
                (whole.End, whole.Headers) = (after, headers);
            }
        }
        return whole.End > start ? whole : null;
    }

    private void Add(Dictionary<long, long> counts)
    {
        foreach ((long index, long messages) in counts)
        {
            Add(_counts, index, messages);
            Messages += messages;
        }
    }
}
