using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Which files of a damaged queue are the segments of its log. The others are set aside.</summary>
internal sealed class SegmentRange(QueueFiles files, QueueMeta meta, SetAside aside)
{
    // Segments that are missing are made, as holes, so that the log goes over them; with more of them in a row, what is before is set aside.
    public const int MostMissing = 8;

    private readonly RecordSearch _search = new(meta);

    /// <summary>The index of the first segment.</summary>
    public long First { get; private set; }

    /// <summary>The index of the last segment.</summary>
    public long Last { get; private set; }

    /// <summary>Whether what is in front of the first segment may have been lost, rather than given up because everybody had passed it.</summary>
    public bool IsCut { get; private set; }

    /// <summary>The indexes that the names of a queue's segments tell, in order; what other names begin like theirs is left to the caller.</summary>
    public static SortedSet<long> Named(QueueFiles files, QueueMeta meta, Action<string>? others = null)
    {
        var named = new SortedSet<long>();
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SegmentPrefix + "*").ToArray())
        {
            string name = Path.GetFileName(path);
            // Behind the last there has to be room for one that is made ahead.
            if (StoreFormat.TryParseSegment(name, out long start) && start >= 0 && start % meta.SegmentSize == 0 && start <= long.MaxValue - (4 * meta.SegmentSize))
            {
                named.Add(start / meta.SegmentSize);
            }
            else if (!name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))
            {
                others?.Invoke(name);
            }
        }
        return named;
    }

    /// <summary>Whether a segment's file is missing between the first that counts and the one that the log ends in.</summary>
    public static bool IsAnyMissing(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        long kept = control.Kept, last = MachineMemory.Load(ref control.Tail) / meta.SegmentSize;
        return Named(files, meta).GetViewBetween(kept, Math.Max(kept, last)).Count <= last - kept;
    }

    /// <param name="words">How far the log reached; null where nothing says so.</param>
    public void Find(LogWords? words)
    {
        SortedSet<long> named = Named(files, meta, name => Exclude(name, "no segment of this queue has such a name: set aside"));
        long[] needed = SubscriptionMender.Needed(files, meta, out bool isAnyDamaged);
        long[] sound = [.. named.Where(IsOfTheLog)];
        (First, Last) = sound.Length > 0 ? Around(sound, named) : Told(words) ?? Newest(named, needed);
        foreach (long index in named.Where(index => index < First || index > Last))
        {
            Exclude(StoreFormat.SegmentName(index * meta.SegmentSize), "it is not connected to the log: set aside");
        }
        // What somebody stood in, or the words tell, was there.
        Last = needed.Append(words?.End / meta.SegmentSize ?? Last).Where(index => index <= Last + MostMissing).Append(Last).Max();
        // After a restart that word is older than what was deleted since.
        long oldest = needed.Append(words is { MayBeTorn: false } told ? told.Kept : First).Min();
        IsCut = oldest < First || (words is null && isAnyDamaged);
        if (oldest < First && oldest >= First - MostMissing)
        {
            (First, IsCut) = (oldest, false);
        }
        else if (oldest < First)
        {
            aside.Found(StoreFormat.SegmentName(oldest * meta.SegmentSize),
                $"it is missing, and the log begins at position {meta.FirstOf(First)}: what not everybody had passed in front of it is lost");
        }
    }

    // Its header says so, or one of its records.
    private bool IsOfTheLog(long index)
    {
        using MappedRegion? own = MendedSegment.TryMap(files, meta, index, out _);
        if (own is not null)
        {
            return true;
        }
        using MappedRegion? region = SegmentRemains.TryRead(files, StoreFormat.SegmentName(index * meta.SegmentSize))?.Map(files, meta.SegmentSize);
        return region is not null && _search.FindNext(new Segment(region, meta, index, ""), meta.FirstOf(index), alone: false) > 0;
    }

    private static (long First, long Last) Around(long[] sound, SortedSet<long> named)
    {
        long last = sound[^1], first = last;
        for (int i = sound.Length - 2; i >= 0 && first - sound[i] <= MostMissing + 1; i--)
        {
            first = sound[i];
        }
        return WithNeighbours(first, last, named);
    }

    // Those next to them whose header is damaged, too.
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

    private (long First, long Last)? Told(LogWords? words) =>
        words is { } told && told.End / meta.SegmentSize is var last && last - told.Kept <= MostMissing ? (told.Kept, last) : null;

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
