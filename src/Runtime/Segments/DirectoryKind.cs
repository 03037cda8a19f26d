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
        if (!Directory.Exists(full))
        {
            throw new QueueException($"{full} is no directory: there is nothing to {purpose}. Give the path of a queue, a store or lanes.");
        }
        bool isStore = File.Exists(System.IO.Path.Combine(full, TransactionFormat.FileName)), isLanes = File.Exists(System.IO.Path.Combine(full, LanesMeta.Name));
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
        .Sum(static path => new FileInfo(path) is { Exists: true } file ? file.Length : 0);

    private static bool IsRead(string name) =>
        StoreFormat.IsOurs(name) && name != StoreFormat.LockName && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal);

    private static string[] Below(string path, Func<string, bool> isMeant) =>
        [.. Directory.EnumerateDirectories(path).Where(isMeant).Order(StringComparer.Ordinal)];
}
