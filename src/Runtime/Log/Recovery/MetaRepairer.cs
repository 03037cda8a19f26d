using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Makes <c>queue.meta</c> anew from the other files. The majority decides, because each file may be damaged or another queue's.
/// </summary>
internal sealed class MetaRepairer
{
    private readonly QueueFiles _files;
    private readonly SalvagedHeader[] _segments;

    private MetaRepairer(QueueFiles files)
    {
        _files = files;
        _segments = [.. Names(files).Order(StringComparer.Ordinal).Select(name => SalvagedHeader.TryRead(files, name))
            .OfType<SalvagedHeader>()];
    }

    /// <exception cref="QueueCorruptException">No segment has the queue's settings.</exception>
    public static QueueMeta Rebuild(QueueFiles files)
    {
        var repairer = new MetaRepairer(files);
        IGrouping<Guid, Guid>[] ids = [.. Ids(files).GroupBy(static id => id)];
        int most = ids.Length == 0 ? 0 : ids.Max(static votes => votes.Count());
        return ids.Where(votes => votes.Count() == most).Select(votes => repairer.Of(votes.Key)).OfType<(QueueMeta Meta, bool IsProven)>()
            .OrderByDescending(static found => found.IsProven).Select(static found => found.Meta).FirstOrDefault()
            ?? throw new QueueCorruptException(files.PathOf(StoreFormat.MetaName), 0,
                "it is damaged, and no segment says what the queue is: no message can be told from other bytes. Restore the directory from "
                    + "a backup.");
    }

    /// <summary>Whether an undamaged <c>queue.meta</c> is another queue's, according to most of the other files.</summary>
    public static bool IsAnothersMeta(QueueFiles files, Guid id)
    {
        ILookup<Guid, Guid> votes = Ids(files).ToLookup(static voted => voted);
        // The file's own vote counts, too: a single file of another queue must not outvote it.
        return votes.Any(others => others.Key != id && others.Count() > votes[id].Count() + 1);
    }

    // The settings for an id; proven if a record is valid with this id. null if no file has the segment size or the schema.
    private (QueueMeta Meta, bool IsProven)? Of(Guid id)
    {
        SalvagedHeader[] segments = [.. _segments.Where(segment => segment.Id == id || !IsAnothers(segment))];
        SalvagedHeader[] described = [.. segments.Where(static segment => segment.Schema is not null)];
        if (described.Length == 0
            || segments.SelectMany(static segment => segment.Sizes).GroupBy(static size => size)
                .MaxBy(static votes => votes.Count()) is not { } sizes)
        {
            return null;
        }
        SalvagedHeader[] own = [.. described.Where(segment => segment.Id == id)];
        string[] schemas = [.. (own.Length > 0 ? own : described).Select(static segment => segment.Schema!)];
        // The newest schema has the members of all others; the size of headers comes from the oldest.
        QueueMeta meta = MetaOf(id, sizes.Key, schemas[^1]) with { HeaderSize = schemas.Min(SegmentSchema.HeaderSizeFor) };
        (int Offset, bool HasChecksum)[] first = [.. segments.Select(segment => FirstMessage(segment, segment.Start, meta))
            .Where(static found => found.Offset > 0)];
        return first.Length == 0 ? (meta, false) : (meta with
        {
            HeaderSize = Math.Min(meta.HeaderSize, first.Min(static found => found.Offset) & -SegmentFormat.PageSize),
            Checksum = first[0].HasChecksum,
        }, true);
    }

    // Whether an undamaged segment is another queue's: then its records are valid with the id in its header. If the id is damaged, they are
    // not.
    private bool IsAnothers(SalvagedHeader segment) =>
        segment is { Schema: { } schema, Sizes: [long size, ..], Base: >= 0 } && segment.Base % size == 0
        && FirstMessage(segment, segment.Base, MetaOf(segment.Id, size, schema)).Offset > 0;

    private QueueMeta MetaOf(Guid id, long size, string schema) => new()
    {
        Id = id,
        SegmentSize = size,
        HeaderSize = SegmentSchema.HeaderSizeFor(schema),
        Checksum = !StoreMedium.Of(_files.Directory).IsMemory,
        Fingerprint = SchemaText.Fingerprint(schema),
        Schema = schema,
    };

    // The first message with a payload: records without one are the same with checksums and without.
    private (int Offset, bool HasChecksum) FirstMessage(SalvagedHeader header, long start, QueueMeta meta)
    {
        using MappedRegion region = header.Map(_files, meta.SegmentSize);
        var segment = new Segment(region, meta, start / meta.SegmentSize, "");
        foreach (bool hasChecksum in (bool[])[true, false])
        {
            var search = new RecordSearch(meta with { Checksum = hasChecksum });
            for (long at = start + SegmentFormat.PageSize;
                at < segment.End && (at = search.FindNext(segment, at, alone: false)) > 0;
                at += RecordFormat.HeaderSize)
            {
                if (RecordFormat.Kind(segment.Header(at)).CarriesMessage() && RecordFormat.Length(segment.Header(at)) > 0)
                {
                    return ((int)(at - start), hasChecksum);
                }
            }
        }
        return (0, false);
    }

    private static IEnumerable<string> Names(QueueFiles files)
        => Directory.EnumerateFiles(files.Directory).Select(static path => Path.GetFileName(path));

    private static IEnumerable<Guid> Ids(QueueFiles files) =>
        Names(files).Select(name => IdOffsetOf(name) is { } offset ? TryReadId(files, name, offset) : null).OfType<Guid>();

    private static int? IdOffsetOf(string name) => name switch
    {
        StoreFormat.ControlName => ControlFormat.IdOffset,
        _ when name.StartsWith(StoreFormat.SubscriptionPrefix, StringComparison.Ordinal) => SubscriptionFormat.IdOffset,
        _ when StoreFormat.TryParseSegment(name, out _) => SegmentFormat.IdOffset,
        _ => null,
    };

    private static Guid? TryReadId(QueueFiles files, string name, int offset)
    {
        Span<byte> bytes = stackalloc byte[16];
        try
        {
            return files.TryRead(name, offset, bytes) ? new Guid(bytes) : null;
        }
        catch (QueueCorruptException)
        {
            return null;
        }
    }
}
