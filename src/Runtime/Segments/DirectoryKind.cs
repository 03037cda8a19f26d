using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>What a directory holds of ours: a queue with those of its dead letters, a store of queues, or lanes.</summary>
/// <param name="Path">The directory, absolute.</param>
/// <param name="IsStore">Whether transactions are committed over the queues below it.</param>
/// <param name="IsLanes">Whether the queues below it are lanes.</param>
/// <param name="Queues">The queues' directories, in order of their names: each in front of those of its dead letters.</param>
internal sealed record DirectoryKind(string Path, bool IsStore, bool IsLanes, IReadOnlyList<string> Queues)
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
        if (!Recommended.Platform.IsDirectory(full))
        {
            throw new QueueException($"{full} is no directory: there is nothing to {purpose}. Give the path of a queue, a store or lanes.");
        }
        bool isStore = Recommended.Platform.IsThere(System.IO.Path.Combine(full, TransactionFormat.FileName));
        bool isLanes = Recommended.Platform.IsThere(System.IO.Path.Combine(full, LanesMeta.Name));
        string[] queues = isStore || isLanes ? Below(full, StoreRepair.IsQueue) : StoreRepair.IsQueue(full) ? [full] : [];
        return isStore || isLanes || queues.Length > 0
            ? new DirectoryKind(full, isStore, isLanes, [.. queues.SelectMany(static queue => Below(queue, StoreRepair.IsDeadLetters).Prepend(queue))])
            : throw new QueueException($"{full} is no queue's directory: there is nothing to {purpose}. Give the path of a queue, a store or lanes.");
    }

    /// <summary>Whether one of the queues holds dead letters of another.</summary>
    public bool IsDeadLetters(string queue) => queue != Path && StoreRepair.IsDeadLetters(queue) && Queues.Contains(System.IO.Path.GetDirectoryName(queue));

    /// <summary>The queues without those of dead letters.</summary>
    public IEnumerable<string> Main() => Queues.Where(queue => !IsDeadLetters(queue));

    /// <summary>Bytes of the queues' files, about: they come and go meanwhile.</summary>
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
            // It is for the progress alone; who reads the file is told.
            return 0;
        }
    }

    private static bool IsRead(string name) =>
        StoreFormat.IsOurs(name) && name != StoreFormat.LockName && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal);

    private static string[] Below(string path, Func<string, bool> isMeant) =>
        [.. Directory.EnumerateDirectories(path).Where(isMeant).Order(StringComparer.Ordinal)];
}
