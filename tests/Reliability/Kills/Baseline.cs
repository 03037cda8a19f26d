using BlitQueue.Segments;

namespace BlitQueue.Reliability.Kills;

/// <summary>What must be left of a queue that was emptied: nothing but its own few files.</summary>
internal static class Baseline
{
    // The one of the tail, a spare, and those that were made ahead for a large batch.
    private const int MostSegments = 6;

    public static void Require(Trial trial, string path, QueueOptions options) => Require<Parcel>(trial, path, options);

    /// <summary>The same, of a queue of other messages.</summary>
    public static void Require<T>(Trial trial, string path, QueueOptions options)
        where T : IPackable<T>
    {
        using MappedQueue<T> queue = MappedQueue<T>.Open(path, options);
        trial.Require(queue.GetStatus().Messages == 0, $"{queue.GetStatus().Messages} messages are left in the emptied {path}");
        queue.Purge();
        string[] files = [.. Directory.EnumerateFiles(path).Select(Path.GetFileName)!];
        int segments = files.Count(static name => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal));
        trial.Require(segments <= MostSegments, $"{segments} segments are left in the emptied {path}: {string.Join(' ', files)}");
        string[] unfinished = [.. files.Where(static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))];
        trial.Require(unfinished.Length == 0, $"unfinished files are left in {path}: {string.Join(' ', unfinished)}");
    }
}
