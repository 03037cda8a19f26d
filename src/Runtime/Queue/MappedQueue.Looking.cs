using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue;

/// <content>What there is, and how it stands, without a message type.</content>
public static partial class MappedQueue
{
    /// <summary>Whether there is a queue in a directory.</summary>
    /// <param name="path">The directory; it need not be there.</param>
    /// <returns>false too for a directory of lanes or of a store: the queues are in it.</returns>
    /// <exception cref="QueueException">The user has no right to look.</exception>
    public static bool Exists(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.GetFullPath(path);
        return SystemFailure.Told(full, () => IsQueue(full));
    }

    /// <summary>
    /// Deletes a queue with all that is in it: its messages, dead letters, and files that a recovery or repair has set aside.
    /// </summary>
    /// <param name="path">The queue's directory, which goes too.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is opening the queue, or leaving it.</param>
    /// <returns>false when there is no queue.</returns>
    /// <remarks>
    /// It first moves the directory to a name of its own beside it, which <see cref="List"/> and stores skip; on Windows, which moves no
    /// directory in use, and where the name would be too long, it marks the queue as deleted. If the call is killed then, the next one for
    /// the same path deletes what it left, as well as files that Windows did not delete because a process was reading them.
    /// </remarks>
    /// <exception cref="QueueException">
    /// A process has the queue, or dead letters of it, open (<see cref="QueueError.InUse"/>), or the directory contains something that is
    /// not the queue's: nothing was deleted. Or the system refuses: then the queue is whole, or deleted but for files that the next call
    /// deletes.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    public static bool Delete(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        return SystemFailure.Told(full, () =>
        {
            cancellationToken.ThrowIfCancellationRequested();
            QueueDeletion.RemoveLeft(full);
            if (!IsQueue(full) && !QueueDeletion.IsMarked(full))
            {
                return false;
            }
            // Before a lock file is made beside them; and again under the lock.
            QueueDeletion.RequireOursAlone(full);
            return QueueDeletion.TryDelete(full, QueueDeletion.NameFor(full), new(Patience, cancellationToken));
        });
    }

    /// <summary>How a queue stands; as <see cref="MappedQueue{T}.GetStatus"/>, without its message type.</summary>
    /// <param name="path">The queue's directory.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is opening the queue.</param>
    /// <remarks>
    /// It opens the queue for the moment of the call, as any process does: if the machine went down, that recovers it.
    /// <see cref="Verify"/> reads without opening.
    /// </remarks>
    /// <exception cref="QueueException">There is no queue; or as <see cref="MappedQueue{T}.Open"/>.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static QueueStatus GetStatus(string path, CancellationToken cancellationToken = default)
    {
        string full = RequireQueue(path);
        return QueueMeter.CountingDamage(full, () => StatusOf(full, cancellationToken));
    }

    private static QueueStatus StatusOf(string path, CancellationToken cancellationToken)
    {
        using QueueStore store = OpenAny(path, cancellationToken);
        using CallGate.Call call = store.Gate.Enter();
        // Completes what a dead process had committed, so that it counts.
        store.Transactions.TryComplete();
        return new StatusReader(store).Read(subscription => CountLetters(store, subscription, cancellationToken));
    }

    /// <summary>The names of a queue's subscriptions, in order. Takes no lock and changes nothing.</summary>
    /// <param name="path">The queue's directory.</param>
    /// <exception cref="QueueException">There is no queue, or no right to read it.</exception>
    public static IReadOnlyList<string> ListSubscriptions(string path)
    {
        string full = RequireQueue(path);
        return SystemFailure.Told<IReadOnlyList<string>>(full, () =>
        {
            var files = new QueueFiles(full, mode: null, FileAccess.Read);
            var meta = QueueMeta.Read(files);
            return
            [
                .. SubscriptionFile.Names(files).Where(name => PositionCheck.Next(files, meta, name) is not null)
                    .Order(StringComparer.Ordinal),
            ];
        });
    }

    /// <summary>
    /// The directories of all queues below a directory, absolute and in order: those of stores and lanes too, not those of dead letters.
    /// It does not follow links, and skips directories that the user has no right to read.
    /// </summary>
    /// <param name="root">Where to look; a queue's own directory counts.</param>
    /// <exception cref="QueueException">There is no such directory, or the user has no right to read it.</exception>
    public static IReadOnlyList<string> List(string root)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(root);
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(root));
        if (!CurrentPlatform.Instance.IsDirectory(full))
        {
            throw new QueueException($"{full} is no directory: there is nothing to list. Give the path of one that queues are in.")
            { Reason = QueueError.NotFound, Path = full };
        }
        List<string> found = [];
        AddQueues(full, SystemFailure.Told(full, () => IsQueue(full)), found);
        found.Sort(StringComparer.Ordinal);
        return found;
    }

    private static void AddQueues(string directory, bool isQueue, List<string> found)
    {
        if (QueueDeletion.HasNameOfDeleted(directory) || IsReadable(directory, QueueDeletion.IsMarked))
        {
            return;
        }
        if (isQueue)
        {
            found.Add(directory);
            return;
        }
        var looking = new EnumerationOptions { AttributesToSkip = FileAttributes.ReparsePoint, IgnoreInaccessible = true };
        try
        {
            foreach (string below in Directory.EnumerateDirectories(directory, "*", looking))
            {
                AddQueues(below, IsReadable(below, IsQueue), found);
            }
        }
        catch (DirectoryNotFoundException)
        {
            // Deleted meanwhile.
        }
    }

    private static bool IsReadable(string directory, Func<string, bool> isMeant)
    {
        try
        {
            return isMeant(directory);
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static bool IsQueue(string directory) => CurrentPlatform.Instance.IsThere(Path.Combine(directory, StoreFormat.MetaName));

    private static string RequireQueue(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        return SystemFailure.Told(full, () => IsQueue(full))
            ? full
            : throw new QueueException($"{full} is no queue: there is no {StoreFormat.MetaName}. {DirectoryKind.Advice(full)}")
            { Reason = QueueError.NotFound, Path = full };
    }

    private static QueueStore OpenAny(string path, CancellationToken cancellationToken) =>
        QueueStore.Open(path, new StoreOptions { Patience = new(Patience, cancellationToken), Schema = null });

    private static long CountLetters(QueueStore queue, string subscription, CancellationToken cancellationToken)
    {
        string path = queue.Files.PathOf(StoreFormat.DeadLettersName(subscription));
        if (!IsQueue(path))
        {
            return 0;
        }
        using QueueStore letters = OpenAny(path, cancellationToken);
        using CallGate.Call call = letters.Gate.Enter();
        return letters.Subscriptions.Find(StoreCreator.DefaultSubscription) is { } file ? new StatusReader(letters).Lag(file) : 0;
    }
}
