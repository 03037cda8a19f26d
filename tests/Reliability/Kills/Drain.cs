using BlitQueue.Log;
using BlitQueue.Peer;

namespace BlitQueue.Reliability.Kills;

/// <summary>Takes what the workers have left, at the end.</summary>
internal static class Drain
{
    /// <summary>
    /// How often nothing must be found, with longer and longer pauses, 105 ms in all: what a dead one held, or had
    /// committed, is looked for every 50 ms.
    /// </summary>
    public const int Looks = 15;

    /// <summary>Empties a subscription, and its dead letters.</summary>
    /// <param name="oneStep">Takes without leases, as consumers do that are not told of repetitions.</param>
    public static void Subscription<T>(MappedQueue<T> queue, string group, bool oneStep, OwnLog log)
        where T : class, IParcel, IPackable<T>
    {
        Subscription<T> subscription = queue.Subscribe(group, new SubscriptionOptions { MaxAttempts = int.MaxValue });
        for (int idle = 0; idle < Looks; Thread.Sleep(idle++))
        {
            if (oneStep ? Dequeue(subscription, log) : Receive(subscription, log))
            {
                idle = 0;
            }
        }
        DeadLetter<T>? letter = null;
        while (subscription.DeadLetters.TryTake(ref letter))
        {
            log.FoundAmongLetters(letter!.Message);
        }
    }

    /// <summary>Takes and commits, with leases, what there is.</summary>
    /// <returns>Whether there was something.</returns>
    public static bool Receive<T>(Subscription<T> subscription, OwnLog log)
        where T : class, IParcel, IPackable<T>
    {
        bool any = false;
        for (T? parcel = null; subscription.TryReceive(out Lease<T> lease); any = true)
        {
            lease.ReadInto(ref parcel);
            log.Leased(parcel!, lease.Attempt);
            lease.Commit();
            log.Committed(parcel!, lease.Attempt);
        }
        return any;
    }

    private static bool Dequeue<T>(Subscription<T> subscription, OwnLog log)
        where T : class, IParcel, IPackable<T>
    {
        bool any = false;
        for (T? parcel = null; subscription.TryDequeue(ref parcel); any = true)
        {
            log.Dequeued(parcel!);
        }
        return any;
    }
}

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
        using var queue = MappedQueue<T>.Open(path, options);
        trial.Require(queue.GetStatus().MessageCount == 0, $"{queue.GetStatus().MessageCount} messages are left in the emptied {path}");
        queue.Purge();
        string[] files = [.. Directory.EnumerateFiles(path).Select(Path.GetFileName)!];
        int segments = files.Count(static name => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal));
        trial.Require(segments <= MostSegments, $"{segments} segments are left in the emptied {path}: {string.Join(' ', files)}");
        string[] unfinished = [.. files.Where(static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))];
        trial.Require(unfinished.Length == 0, $"unfinished files are left in {path}: {string.Join(' ', unfinished)}");
    }
}
