using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>Deletes a queue that no process has open.</summary>
internal static class QueueDeletion
{
    private const string Infix = ".deleted-";

    /// <summary>A name beside a queue for its directory while it is deleted.</summary>
    public static string NameFor(string path) => $"{path}{Infix}{Guid.NewGuid():N}";

    /// <summary>Whether a directory is a queue that was moved to be deleted: one still is, or its deleter was killed.</summary>
    public static bool HasNameOfDeleted(string path)
    {
        ReadOnlySpan<char> name = Path.GetFileName(path.AsSpan());
        int end = name.LastIndexOf(Infix, StringComparison.Ordinal);
        return end > 0 && Guid.TryParseExact(name[(end + Infix.Length)..], "N", out _);
    }

    /// <summary>Removes what calls left that were killed while they deleted this queue.</summary>
    public static void RemoveLeft(string path)
    {
        string? parent = Path.GetDirectoryName(path);
        if (parent is null || !CurrentPlatform.Instance.IsDirectory(parent))
        {
            return;
        }
        string first = Path.GetFileName(path) + Infix;
        foreach (string directory in Directory.EnumerateDirectories(parent))
        {
            if (Path.GetFileName(directory).StartsWith(first, StringComparison.Ordinal) && HasNameOfDeleted(directory))
            {
                ExpressDirectory.Remove(directory);
            }
        }
    }

    /// <summary>
    /// Whether a directory is a queue that is being deleted where it stands, or was when its deleter was killed. Beside a
    /// <c>queue.meta</c> the mark says nothing: somebody has put another queue there.
    /// </summary>
    public static bool IsMarked(string path) => CurrentPlatform.Instance.IsThere(Path.Combine(path, StoreFormat.DeletedName))
        && !CurrentPlatform.Instance.IsThere(Path.Combine(path, StoreFormat.MetaName));

    /// <summary>Deletes a queue's directory, with its dead letters and what was set aside.</summary>
    /// <param name="path">Absolute.</param>
    /// <param name="gone">Where it is moved to first, in the same file system: nothing has this name.</param>
    /// <param name="patience">How long to wait for a process that is opening it, and what ends the wait.</param>
    /// <returns>false when there is none; then what a killed maker or deletion left there is deleted.</returns>
    /// <exception cref="QueueException">It is open, something in it is not its own, or the system refuses.</exception>
    public static bool TryDelete(string path, string gone, Patience patience) => SystemFailure.Told(path, () =>
    {
        try
        {
            return Delete(new QueueFiles(path, FileRights.OwnerAlone), gone, patience);
        }
        catch (Exception exception) when (exception is DirectoryNotFoundException or FileNotFoundException)
        {
            return false;
        }
    });

    private static bool Delete(QueueFiles files, string gone, Patience patience)
    {
        bool isThere, isMoved;
        List<OpeningLock> held = [];
        try
        {
            TakeUnused(files, patience, held);
            // Looked at under the lock: while this call waited for it, others may have put something else there.
            isThere = files.Exists(StoreFormat.MetaName);
            if (isThere || IsMarked(files.Directory))
            {
                RequireOursAlone(files.Directory);
            }
            isMoved = isThere && TryBegin(files, gone);
            if (!isMoved)
            {
                // Of what is no queue, or is none since it has the mark.
                DeleteWhereItStands(files, held);
            }
        }
        finally
        {
            held.ForEach(static opening => opening.Dispose());
        }
        if (isMoved)
        {
            ExpressDirectory.Remove(gone);
        }
        else
        {
            new QueueDirectory(files.Directory, Made: true).RemoveIfMadeAndEmpty();
        }
        return isThere;
    }

    // One rename under the lock begins the deletion: an opening finds the whole queue, or none, wherever the deletion stops. Returns
    // whether the directory is moved; otherwise it is marked.
    private static bool TryBegin(QueueFiles files, string gone)
    {
        bool isMoved = CurrentPlatform.Instance.RenamesDirectoriesInUse && TryMove(files, gone);
        if (!isMoved)
        {
            files.Rename(StoreFormat.MetaName, StoreFormat.DeletedName);
        }
        FailPoint.Reach(ProtocolStep.DeletionBegun);
        if (isMoved)
        {
            DeleteMeta(gone);
            FailPoint.Reach(ProtocolStep.DeletionMetaGone);
        }
        return isMoved;
    }

    private static bool TryMove(QueueFiles files, string gone)
    {
        bool isInMemory = files.IsInMemory;
        try
        {
            Directory.Move(files.Directory, gone);
        }
        catch (PathTooLongException)
        {
            // The directory's own name leaves no room for more.
            return false;
        }
        if (!isInMemory && Path.GetDirectoryName(files.Directory) is { } parent)
        {
            // Or a power loss would leave files of a queue without its queue.meta, where that went to the disk first.
            QueueDirectory.SyncName(parent);
        }
        return true;
    }

    // What a killed process leaves from here on is no queue that anybody would list, back up or open.
    private static void DeleteMeta(string gone)
    {
        try
        {
            File.Delete(Path.Combine(gone, StoreFormat.MetaName));
        }
        catch (DirectoryNotFoundException)
        {
            // Another call has taken this one for a killed one, and removed what it left.
        }
    }

    // The lock file goes last: who opens the queue meanwhile waits for the lock, and finds no queue afterwards.
    private static void DeleteWhereItStands(QueueFiles files, List<OpeningLock> held)
    {
        if (!IsMarked(files.Directory))
        {
            RemoveUnfinished(files, held[0]);
            return;
        }
        DeleteContents(files, held.Skip(1));
        if (!files.HasSetAside)
        {
            DeleteMark(files);
        }
        FailPoint.Reach(ProtocolStep.DeletionMetaGone);
        held[0].DeleteFile(files);
    }

    // The locks of the queue and of its dead letters, which others may open, read or repair by themselves.
    private static void TakeUnused(QueueFiles files, Patience patience, List<OpeningLock> held)
    {
        held.Add(OpeningLock.Take(files, patience));
        Participant.RefuseAlive(held[^1].File, files.Directory, "deleted", patience.Token);
        TakeUnusedLetters(files, patience, held);
    }

    private static void TakeUnusedLetters(QueueFiles files, Patience patience, List<OpeningLock> held)
    {
        foreach (string letters in QueuesBelow.OfDeadLetters(files.Directory).There)
        {
            try
            {
                TakeUnused(new QueueFiles(letters, mode: null), patience, held);
            }
            catch (Exception exception) when (exception is DirectoryNotFoundException or FileNotFoundException)
            {
                // Another call has deleted them by themselves.
            }
        }
    }

    /// <summary>Has no mark of a deletion left when a directory is opened. Called with the opening lock held.</summary>
    /// <exception cref="QueueException">
    /// A process has dead letters of the deleted queue open, or as <see cref="DeleteContents"/>.
    /// </exception>
    public static void CompleteIfMarked(QueueFiles files, Patience patience)
    {
        if (IsMarked(files.Directory))
        {
            List<OpeningLock> held = [];
            try
            {
                TakeUnusedLetters(files, patience, held);
                DeleteContents(files, held);
            }
            finally
            {
                held.ForEach(static opening => opening.Dispose());
            }
        }
        // Beside a queue.meta it says nothing. If that were lost later, it would say that all messages are to be deleted.
        DeleteMark(files);
    }

    // When there is nothing left for it to say.
    private static void DeleteMark(QueueFiles files)
    {
        if (files.Exists(StoreFormat.DeletedName))
        {
            files.SyncNames();
            files.Delete(StoreFormat.DeletedName);
        }
    }

    /// <summary>
    /// Deletes a queue's directories and files, but the lock file and the mark. Called with its opening lock and those of its dead letters
    /// held.
    /// </summary>
    /// <exception cref="QueueException">Something goes on making files in one of the directories.</exception>
    private static void DeleteContents(QueueFiles files, IEnumerable<OpeningLock> letters)
    {
        foreach (OpeningLock opening in letters)
        {
            opening.LetFileGo();
        }
        foreach (string directory in Directory.EnumerateDirectories(files.Directory)
            .Where(static directory => StoreFormat.IsOurDirectory(Path.GetFileName(directory))))
        {
            try
            {
                DeleteBelow(files, directory);
            }
            catch (IOException exception) when (CurrentPlatform.Instance.IsDirectory(directory))
            {
                throw new QueueException(
                    $"{files.Directory} is being deleted, and {Path.GetFileName(directory)} in it is still in use ({exception.Message}). "
                        + "End the processes that use it, then delete or open the queue again.", exception)
                { Reason = QueueError.InUse, Path = directory };
            }
        }
        DeleteOwn(files);
    }

    // A file that the system does not delete, because a process reads it, leaves the directory: the queue's own has it from then on.
    private static void DeleteBelow(QueueFiles files, string directory)
    {
        if (new DirectoryInfo(directory).LinkTarget is null)
        {
            foreach (string below in Directory.GetDirectories(directory))
            {
                DeleteBelow(files, below);
            }
            foreach (string file in Directory.GetFiles(directory))
            {
                files.DeleteAt(file);
            }
        }
        Directory.Delete(directory);
    }

    /// <summary>Deletes all files of what is no queue, but the lock file. Called with the opening lock held.</summary>
    public static void DeleteFiles(QueueFiles files)
    {
        DeleteOwn(files);
        DeleteMark(files);
    }

    private static void DeleteOwn(QueueFiles files)
    {
        foreach (string name in Directory.GetFiles(files.Directory).Select(static path => Path.GetFileName(path))
            .Where(static name => StoreFormat.IsOurs(name) && name is not (StoreFormat.LockName or StoreFormat.DeletedName)))
        {
            files.Delete(name);
        }
    }

    /// <summary>Deletes the files of an unfinished queue, the lock file included. Called with the opening lock held.</summary>
    public static void RemoveUnfinished(QueueFiles files, OpeningLock opening)
    {
        if (OpeningLock.HasName(opening.File, files) && IsUnfinished(files))
        {
            DeleteFiles(files);
            opening.DeleteFile(files);
        }
    }

    /// <summary>
    /// Whether a directory contains only an unfinished queue, which the next opener deletes. The answer is final if the opening lock is
    /// held.
    /// </summary>
    public static bool IsUnfinished(QueueFiles files) => !files.Exists(StoreFormat.MetaName)
        && !SalvagedHeader.HasMessages(files.Directory) && QueueDirectory.ForeignIn(files.Directory) is null;

    /// <summary>Throws if a queue's directory contains something that is not the queue's, or is a link.</summary>
    /// <exception cref="QueueException">It does.</exception>
    public static void RequireOursAlone(string path)
    {
        if (new DirectoryInfo(path).LinkTarget is { } target)
        {
            throw new QueueException($"{path} is a link to {target}. Nothing was deleted. Give the path of the queue's own directory.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        if (QueueDirectory.StrangerIn(path) is { } name)
        {
            throw new QueueException(
                $"{path} contains {name}, which is not the queue's. Nothing was deleted. Move it away, or delete the directory yourself.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
    }
}
