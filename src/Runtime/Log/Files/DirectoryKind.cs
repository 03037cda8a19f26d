using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>What a directory is to BlitQueue: a queue with those of its dead letters, a store of queues, or lanes.</summary>
/// <param name="Path">The directory, absolute.</param>
/// <param name="IsStore">Whether transactions are committed over the queues below it.</param>
/// <param name="IsLanes">Whether the queues below it are lanes.</param>
/// <param name="Queues">The queues' directories, in order of their names: each before those of its dead letters.</param>
/// <param name="Letters">Those of them that have the dead letters of another.</param>
/// <param name="Lost">Links of a queue's name that lead nowhere.</param>
internal sealed record DirectoryKind(
    string Path, bool IsStore, bool IsLanes, IReadOnlyList<string> Queues, IReadOnlySet<string> Letters, IReadOnlyList<string> Lost)
{
    /// <exception cref="QueueException">It is none of these.</exception>
    public static DirectoryKind Of(string path, string purpose)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(path));
        return SystemFailure.Told(full, () => Look(full, purpose));
    }

    private static DirectoryKind Look(string full, string purpose)
    {
        if (!CurrentPlatform.Instance.IsDirectory(full))
        {
            throw new QueueException($"{full} is no directory: there is nothing to {purpose}. Give the path of a queue, a store or lanes.")
            { Reason = QueueError.NotFound, Path = full };
        }
        bool isStore = IsStoreAt(full), isLanes = Has(full, LanesMeta.Name);
        QueuesBelow below = isStore || isLanes ? QueuesBelow.InStore(full) : new QueuesBelow(QueuesBelow.IsQueue(full) ? [full] : [], []);
        if (!isStore && !isLanes && below.There.Count == 0)
        {
            throw new QueueException(
                $"{full} is no queue's directory: there is nothing to {purpose}. Give the path of a queue, a store or lanes.")
            { Reason = QueueError.NotFound, Path = full };
        }
        List<string> queues = [], lost = [.. below.Lost];
        HashSet<string> letters = [];
        foreach (string queue in below.There)
        {
            var dead = QueuesBelow.OfDeadLetters(queue);
            queues.AddRange([queue, .. dead.There]);
            letters.UnionWith(dead.There);
            lost.AddRange(dead.Lost);
        }
        return new DirectoryKind(full, isStore, isLanes, queues, letters, lost);
    }

    /// <summary>What to do where a directory was taken for a queue and is none.</summary>
    public static string Advice(string directory) =>
        Has(directory, LanesMeta.Name) ? "It has lanes: open it with MappedLanes, or give the path of one of them."
        : IsStoreAt(directory) ? "It is a store: open it with MappedStore, or give the path of one of its queues."
        : "Give the path of a queue.";

    private static bool IsStoreAt(string directory) =>
        Has(directory, TransactionFormat.FileName) || Has(directory, TransactionFormat.LockName);

    private static bool Has(string directory, string name) => CurrentPlatform.Instance.IsThere(System.IO.Path.Combine(directory, name));

    /// <summary>The queues without those of dead letters.</summary>
    public IEnumerable<string> Main() => Queues.Where(queue => !Letters.Contains(queue));

    /// <summary>About how many bytes the queues' files have: files come and go meanwhile.</summary>
    public long Length() => Queues.SelectMany(Directory.EnumerateFiles).Where(static path => IsRead(System.IO.Path.GetFileName(path)))
        .Sum(LengthOf);

    private static long LengthOf(string path)
    {
        try
        {
            return new FileInfo(path).Length;
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            // The length is for the progress alone; the call that reads the file reports the failure.
            return 0;
        }
    }

    private static bool IsRead(string name) =>
        StoreFormat.IsOurs(name) && name != StoreFormat.LockName && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal);
}
