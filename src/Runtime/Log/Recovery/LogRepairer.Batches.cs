namespace BlitQueue.Log;

/// <content>
/// Batches. If only the header of one record is damaged, it is computed again from the batch's announcing word. Otherwise, if the batch was
/// published, its undamaged messages are announced anew: those in front of the damage by the batch's own announcing record, which is
/// shortened, and those behind it by a new announcing record, written where the damage was. Without that, messages in pieces would be lost,
/// because pieces count in a batch only.
/// </content>
internal sealed partial class LogRepairer
{
    // The last range of the log that was emptied, if no record follows it yet.
    private (long From, long To) _emptied;

    // The end of the published batches: the log reached at least to here.
    private long _announcedEnd;

    // Everything in front of this position was published.
    private long PublishedEnd => Math.Max(_knownEnd, _announcedEnd);

    // Gives the announced end, whether or not the batch is whole. If one record cannot be read, its header is computed again from the sum
    // of all headers in the announcing word.
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

    // Finds the header of the only record of a batch that cannot be read. If its payload is damaged, no header fits.
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

    // The headers of all records that could be between two positions inside a batch.
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

    // For a published batch that is damaged: announces only the undamaged messages at its beginning, and gives their end.
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

    // Behind an emptied range: announces the undamaged messages that follow as one batch. The emptied range has room for the announcing
    // record, unless the damage is shorter than that.
    private bool TryAnnounce(long position, out long end)
    {
        end = position;
        bool isFirst = position == meta.FirstOf(position / meta.SegmentSize);
        // At the beginning of a segment: the batch comes from the segment in front of it.
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

    // The undamaged messages of a batch, one behind another from a position on, each with all of its pieces.
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
