using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Finds the files of a damaged queue that are the segments of its log. The others are set aside.</summary>
internal sealed class SegmentRange(QueueFiles files, QueueMeta meta, Quarantine aside)
{
    private readonly RecordSearch _search = new(meta);

    /// <summary>The index of the first segment.</summary>
    public long First { get; private set; }

    /// <summary>The index of the last segment.</summary>
    public long Last { get; private set; }

    /// <summary>
    /// Whether segments in front of the first one may have been lost, rather than deleted because every subscription had passed them.
    /// </summary>
    public bool IsCut { get; private set; }

    /// <param name="words">How far the log reached; null where nothing says so.</param>
    public void Find(LogBounds? words)
    {
        SortedSet<long> named = SegmentNames.In(files, meta, name => Exclude(name, "no segment of this queue has such a name: set aside"));
        long[] needed = SubscriptionRepairer.Needed(files, meta, out bool isAnyDamaged);
        long[] sound = [.. named.Where(IsOfTheLog)];
        (First, Last) = sound.Length > 0 ? Around(sound, named) : Told(words) ?? Newest(named, needed);
        foreach (long index in named.Where(index => index < First || index > Last))
        {
            Exclude(StoreFormat.SegmentName(index * meta.SegmentSize), "it is not connected to the log: set aside");
        }
        // Segments that a subscription's position or the words name did exist.
        Last = needed.Append(words?.End / meta.SegmentSize ?? Last).Where(index => index <= Last + SegmentNames.MostMissing)
            .Append(Last).Max();
        // After a restart of the machine, the word may be older than the last deletions.
        long oldest = needed.Append(words is { MayBeTorn: false } told ? told.FirstRetained : First).Min();
        IsCut = oldest < First || (words is null && isAnyDamaged);
        if (oldest < First && oldest >= First - SegmentNames.MostMissing)
        {
            (First, IsCut) = (oldest, false);
        }
        else if (oldest < First)
        {
            aside.Found(StoreFormat.SegmentName(oldest * meta.SegmentSize),
                $"it is missing, and the log begins at position {meta.FirstOf(First)}: what not every subscription had passed "
                    + "in front of it is lost");
        }
    }

    // Whether a file is a segment of the log, according to its header or to one of its records.
    private bool IsOfTheLog(long index)
    {
        using MappedRegion? own = SegmentUnderRepair.TryMap(files, meta, index, out _);
        if (own is not null)
        {
            return true;
        }
        using MappedRegion? region = SalvagedHeader.TryRead(files, StoreFormat.SegmentName(index * meta.SegmentSize))
            ?.Map(files, meta.SegmentSize);
        return region is not null && _search.FindNext(new Segment(region, meta, index, ""), meta.FirstOf(index), alone: false) > 0;
    }

    private static (long First, long Last) Around(long[] sound, SortedSet<long> named)
    {
        long last = sound[^1], first = last;
        for (int i = sound.Length - 2; i >= 0 && first - sound[i] <= SegmentNames.MostMissing + 1; i--)
        {
            first = sound[i];
        }
        return WithNeighbours(first, last, named);
    }

    // Adds segments beside these whose header is damaged.
    private static (long First, long Last) WithNeighbours(long first, long last, SortedSet<long> named)
    {
        while (named.Contains(first - 1))
        {
            first--;
        }
        while (named.Contains(last + 1))
        {
            last++;
        }
        return (first, last);
    }

    private (long First, long Last)? Told(LogBounds? words) =>
        words is { } told && told.End / meta.SegmentSize is var last && last - told.FirstRetained <= SegmentNames.MostMissing
            ? (told.FirstRetained, last)
            : null;

    private static (long First, long Last) Newest(SortedSet<long> named, long[] needed)
    {
        long newest = named.Count > 0 ? named.Max : needed.Append(0).Max();
        return WithNeighbours(newest, newest, named);
    }

    private void Exclude(string name, string what)
    {
        aside.Found(name, what);
        aside.Move(name);
    }
}
