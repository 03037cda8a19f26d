using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// The queues in a directory: those of a store or of lanes, or of a queue's dead letters. A link counts as the directory that it leads to,
/// as it does for an opening.
/// </summary>
/// <param name="There">Their directories, in order of their names.</param>
/// <param name="Lost">Links with a queue's name that lead nowhere: their target is gone, or not mounted.</param>
internal sealed record QueuesBelow(IReadOnlyList<string> There, IReadOnlyList<string> Lost)
{
    /// <summary>Directories with such a name and no file of a queue: half made, or where something is not mounted.</summary>
    public IReadOnlyList<string> Empty { get; private init; } = [];

    private const string LeadsNowhere =
        "it is a link that leads nowhere: the queue that stands there, if there is one, cannot be reached. Mount what it leads to, or "
            + "delete the link";

    /// <summary>The queues of a store or of lanes.</summary>
    public static QueuesBelow InStore(string directory) => Look(directory, static name => !IsSetAside(name), QueueName.IsQueue);

    /// <summary>The queues of the dead letters of a queue's subscriptions.</summary>
    public static QueuesBelow OfDeadLetters(string queue) => Look(queue, IsDeadLetters, IsDeadLetters);

    /// <summary>A link that leads nowhere, as a finding of a call that reports damage and does not throw.</summary>
    public static RecoveryFinding FindingOf(string lost) => new(lost, 0, 0, LeadsNowhere);

    /// <summary>Whether a directory is a queue, damaged or not.</summary>
    public static bool IsQueue(string path) => !IsSetAside(Path.GetFileName(path)) && HasQueueFiles(path);

    /// <summary>Whether any file of a queue is in a directory, unless the queue is being deleted.</summary>
    public static bool HasQueueFiles(string path) => !QueueDeletion.IsMarked(path)
        && Directory.EnumerateFileSystemEntries(path).Any(static entry => StoreFormat.IsOurs(Path.GetFileName(entry)));

    /// <exception cref="QueueException">One of them cannot be reached.</exception>
    public static void RequireNone(IEnumerable<string> lost)
    {
        if (lost.FirstOrDefault() is { } first)
        {
            throw new QueueException($"{first}: {LeadsNowhere}. Without it a copy would not be whole.")
            { Reason = QueueError.NotFound, Path = first };
        }
    }

    private static QueuesBelow Look(string directory, Func<string, bool> isMeant, Func<string, bool> isLostOne)
    {
        (List<string> there, List<string> lost, List<string> empty) = ([], [], []);
        foreach (string path in Directory.EnumerateFileSystemEntries(directory).Where(path => isMeant(Path.GetFileName(path)))
            .Order(StringComparer.Ordinal))
        {
            switch (CurrentPlatform.Instance.KindOf(path))
            {
                case PathKind.Directory when IsStillQueue(path):
                    there.Add(path);
                    break;
                case PathKind.Directory:
                    empty.Add(path);
                    break;
                case PathKind.Nothing when isLostOne(Path.GetFileName(path)) && CurrentPlatform.Instance.IsThere(path):
                    lost.Add(path);
                    break;
            }
        }
        return new QueuesBelow(there, lost) { Empty = empty };
    }

    private static bool IsStillQueue(string path)
    {
        try
        {
            return HasQueueFiles(path);
        }
        catch (DirectoryNotFoundException)
        {
            // The directory was deleted meanwhile.
            return false;
        }
        catch (UnauthorizedAccessException) when (!QueueName.IsQueue(Path.GetFileName(path)))
        {
            // A directory of the file system's own, like lost+found.
            return false;
        }
    }

    private static bool IsSetAside(string name) =>
        name.StartsWith(StoreFormat.AsidePrefix, StringComparison.Ordinal) || QueueDeletion.HasNameOfDeleted(name);

    private static bool IsDeadLetters(string name) =>
        name.StartsWith(StoreFormat.DeadLettersPrefix, StringComparison.Ordinal)
            && QueueName.IsSubscription(name[StoreFormat.DeadLettersPrefix.Length..]);
}
