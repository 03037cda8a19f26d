using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Finds which segments there are, by the names of the files in a queue's directory.</summary>
internal static class SegmentNames
{
    /// <summary>
    /// How many segments in a row may be missing: a recovery makes their files, as holes, so that readers go past them. Where more are
    /// missing, it sets aside what is before them.
    /// </summary>
    public const int MostMissing = 8;

    /// <summary>
    /// The indexes of a queue's segments by the names of their files, in order. Other names that begin like a segment's are given to the
    /// caller.
    /// </summary>
    public static SortedSet<long> In(QueueFiles files, QueueMeta meta, Action<string>? others = null)
    {
        var named = new SortedSet<long>();
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SegmentPrefix + "*").ToArray())
        {
            string name = Path.GetFileName(path);
            // Behind the last position of this segment, that of a segment made ahead must still fit in 63 bits.
            if (StoreFormat.TryParseSegment(name, out long start) && start >= 0 && start % meta.SegmentSize == 0
                && start <= long.MaxValue - (4 * meta.SegmentSize))
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

    /// <summary>Whether a segment's file is missing between the first retained one and the one that the log ends in.</summary>
    public static bool IsAnyMissing(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        long first = control.FirstRetained, last = MachineMemory.Load(ref control.Tail) / meta.SegmentSize;
        return In(files, meta).GetViewBetween(first, Math.Max(first, last)).Count <= last - first;
    }
}
