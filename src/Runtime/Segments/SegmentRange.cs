using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Which files of a damaged queue are the segments of its log. The others are set aside.</summary>
internal sealed class SegmentRange(QueueFiles files, QueueMeta meta, SetAside aside, List<RepairFinding> findings)
{
    // Segments that are missing are made, empty, so that the log goes over them; with more of them, what is before was being deleted.
    private const int MostMissing = 8;

    private readonly RecordSearch _search = new(meta);

    /// <summary>The index of the first segment.</summary>
    public long First { get; private set; }

    /// <summary>The index of the last segment.</summary>
    public long Last { get; private set; }

    /// <summary>Whether what is in front of the first segment may have been lost, rather than given up because everybody had passed it.</summary>
    public bool IsCut { get; private set; }

    /// <param name="words">How far the log reached; null where nothing says so.</param>
    public void Find(LogWords? words)
    {
        var named = new SortedSet<long>();
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SegmentPrefix + "*").ToArray())
        {
            string name = Path.GetFileName(path);
            if (name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))
            {
                continue;
            }
            // Behind the last there has to be room for one that is made ahead.
            if (StoreFormat.TryParseSegment(name, out long start) && start >= 0 && start % meta.SegmentSize == 0 && start <= long.MaxValue - (4 * meta.SegmentSize))
            {
                named.Add(start / meta.SegmentSize);
            }
            else
            {
                Exclude(name, "no segment of this queue has such a name: set aside");
            }
        }
        long[] sound = [.. named.Where(IsOfTheLog)];
        (First, Last) = sound.Length > 0 ? Around(sound, named) : Told(words) ?? Newest(named);
        foreach (long index in named.Where(index => index < First || index > Last))
        {
            Exclude(StoreFormat.SegmentName(index * meta.SegmentSize), "it is not connected to the log: set aside");
        }
        LookInFront(words);
    }

    // Its header says so, or one of its records.
    private bool IsOfTheLog(long index)
    {
        if (MendedSegment.IsOurs(files, meta, index))
        {
            return true;
        }
        using MappedRegion? region = SegmentRemains.TryRead(files, StoreFormat.SegmentName(index * meta.SegmentSize))?.Map(files, meta.SegmentSize);
        return region is not null && _search.FindNext(new Segment(region, meta, index, ""), meta.FirstOf(index), alone: false) > 0;
    }

    private void LookInFront(LogWords? words)
    {
        long[] positions = SubscriptionMender.Positions(files, meta, out bool areAllThere);
        long needed = positions.Select(position => position / meta.SegmentSize).Append(words?.Kept ?? First).Min();
        IsCut = needed < First || (words is null && !areAllThere);
        if (needed < First)
        {
            findings.Add(new RepairFinding(files.PathOf(StoreFormat.SegmentName(needed * meta.SegmentSize)), 0, 0,
                $"it is missing, and the log begins at position {meta.FirstOf(First)}: what not everybody had passed in front of it is lost"));
        }
    }

    private static (long First, long Last) Around(long[] sound, SortedSet<long> named)
    {
        long last = sound[^1], first = last;
        for (int i = sound.Length - 2; i >= 0 && first - sound[i] <= MostMissing + 1; i--)
        {
            first = sound[i];
        }
        // Those next to them whose header is damaged.
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

    private (long First, long Last)? Told(LogWords? words) =>
        words is { } told && told.End / meta.SegmentSize is var last && last - told.Kept <= MostMissing ? (told.Kept, last) : null;

    private static (long First, long Last) Newest(SortedSet<long> named)
    {
        if (named.Count == 0)
        {
            return (0, 0);
        }
        long last = named.Max, first = last;
        while (named.Contains(first - 1))
        {
            first--;
        }
        return (first, last);
    }

    private void Exclude(string name, string what)
    {
        findings.Add(new RepairFinding(files.PathOf(name), 0, 0, what));
        aside.Move(name);
    }
}
