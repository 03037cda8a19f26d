using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>Which segments there are, by the names of the files in a queue's directory.</summary>
internal static class SegmentNames
{
    /// <summary>
    /// How many may be missing in a row: a recovery makes them, as holes, so that the log goes over them. Where more are,
    /// what is in front of them is set aside.
    /// </summary>
    public const int MostMissing = 8;

    /// <summary>
    /// The indexes that the names of a queue's segments tell, in order; what other names begin like theirs is left to the caller.
    /// </summary>
    public static SortedSet<long> In(QueueFiles files, QueueMeta meta, Action<string>? others = null)
    {
        var named = new SortedSet<long>();
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SegmentPrefix + "*").ToArray())
        {
            string name = Path.GetFileName(path);
            // Behind the last there has to be room for one that is made ahead.
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

    /// <summary>Whether a segment's file is missing between the first that counts and the one that the log ends in.</summary>
    public static bool IsAnyMissing(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        long first = control.FirstRetained, last = MachineMemory.Load(ref control.Tail) / meta.SegmentSize;
        return In(files, meta).GetViewBetween(first, Math.Max(first, last)).Count <= last - first;
    }
}
