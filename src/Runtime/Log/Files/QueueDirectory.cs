using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>The directory that an opening was given, before it reads any file there.</summary>
internal readonly record struct QueueDirectory(string Path, bool Made)
{
    /// <summary>Makes the directory where there is none, and refuses a path that cannot be a queue's.</summary>
    /// <param name="path">The directory.</param>
    /// <param name="fileMode">Rights of the files in it.</param>
    /// <param name="ofQueues">Whether queues are to be below it, rather than in it.</param>
    /// <param name="meta">The file that says that the directory is a queue, a store or lanes already.</param>
    /// <exception cref="QueueException">The path is a file, foreign files are there, or the caller has no rights to it.</exception>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    /// <exception cref="IOException">The directory, or a file in it, was deleted meanwhile.</exception>
    public static QueueDirectory Prepare(string path, UnixFileMode? fileMode, string meta = StoreFormat.MetaName, bool ofQueues = false)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = System.IO.Path.GetFullPath(path);
        if (QueueDeletion.HasNameOfDeleted(System.IO.Path.TrimEndingDirectorySeparator(full)))
        {
            throw new QueueException(
                $"{full} has the name of a queue that is being deleted: the next deletion would delete it. Give another path.")
            { Reason = QueueError.NotAQueue, Path = full };
        }
        var files = new QueueFiles(full, fileMode);
        bool made = false;
        try
        {
            PathKind there = CurrentPlatform.Instance.KindOf(full);
            if (there == PathKind.File)
            {
                throw new QueueException(
                    $"{full} is a file. A queue is a directory: give a path that does not exist yet, or that of a queue.")
                { Reason = QueueError.NotAQueue, Path = full };
            }
            made = there == PathKind.Nothing;
            if (made)
            {
                Make(full, FileRights.Of(full, fileMode).Mode);
            }
            else if (ofQueues)
            {
                RefuseQueue(full);
            }
            else if (!files.Exists(meta) && StrangerIn(full, meta) is { } stranger && !files.Exists(StoreFormat.LockName))
            {
                // A lock file is never made beside a stranger's files. That is all that can be decided without the lock: other processes
                // may be making and deleting queues here, so that these looks see several of them. RefuseContent decides, under the lock.
                throw NotEmpty(full, stranger);
            }
            return new QueueDirectory(full, made);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw NoRights(full, exception);
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            throw new QueueFullException(
                $"{full}: the disk has no room for another directory. Free disk space, or delete files: it may be their number that is "
                    + "used up.", exception)
            { Path = full };
        }
        catch (IOException exception) when (ReadOnlyDisk.Is(exception))
        {
            throw SystemFailure.Of(full, exception);
        }
        catch (IOException exception) when (exception is not FileNotFoundException && (made || exception is not DirectoryNotFoundException))
        {
            throw new QueueException($"{full} cannot be made or read as a directory: {exception.Message}", exception)
            { Reason = QueueError.SystemRefused, Path = full };
        }
    }

    public static QueueException NoRights(string path, Exception exception) => new(
        $"{path}: this user has no right to read and write it ({exception.Message}). "
        + "Give the user rights to the directory and its files, or choose another path.", exception)
    { Reason = QueueError.AccessDenied, Path = path };

    /// <summary>Removes a directory that was made for a queue which could not be made.</summary>
    public void RemoveIfMadeAndEmpty()
    {
        try
        {
            if (Made && CurrentPlatform.Instance.IsDirectory(Path) && !Directory.EnumerateFileSystemEntries(Path).Any())
            {
                Directory.Delete(Path);
            }
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            // Another process has begun to make the queue there, or the system refuses: an empty directory stays, and does no harm.
        }
    }

    private static void Make(string path, UnixFileMode fileMode)
    {
        string there = path;
        while (System.IO.Path.GetDirectoryName(there) is { } parent && !CurrentPlatform.Instance.IsDirectory(there))
        {
            there = parent;
        }
        MakeAll(path, fileMode);
        for (string? parent = System.IO.Path.GetDirectoryName(path); parent is not null; parent = System.IO.Path.GetDirectoryName(parent))
        {
            SyncName(parent);
            if (parent.Length <= there.Length)
            {
                return;
            }
        }
    }

    // The new directory's name is in its parent. A parent that the user may write but not read cannot be synced.
    public static void SyncName(string parent)
    {
        const int accessDenied = 13;
        try
        {
            CurrentPlatform.Instance.SyncDirectory(parent);
        }
        catch (IOException exception) when (exception.HResult == accessDenied)
        {
        }
    }

    /// <summary>Makes a directory, and its parents where they do not exist, for files with these rights.</summary>
    public static void MakeAll(string path, UnixFileMode fileMode)
    {
        if (OperatingSystem.IsWindows())
        {
            MakeOnWindows(path, fileMode);
            return;
        }
        // A user who may read or write the files may also enter and list, or make and delete, in the directory.
        UnixFileMode mode = fileMode | UnixFileMode.UserExecute
            | (fileMode.HasFlag(UnixFileMode.GroupRead) ? UnixFileMode.GroupExecute : 0)
            | (fileMode.HasFlag(UnixFileMode.OtherRead) ? UnixFileMode.OtherExecute : 0);
        Directory.CreateDirectory(path, mode);
        // The rights asked for, whatever the process's umask takes away. A file that another user makes there belongs to the same group,
        // too.
        UnixFileMode inherited = File.GetUnixFileMode(path) & UnixFileMode.SetGroup;
        File.SetUnixFileMode(path, mode | inherited | (fileMode.HasFlag(UnixFileMode.GroupWrite) ? UnixFileMode.SetGroup : 0));
    }

    // Rights of files are those of their directory. Rights for others, and those of what is in a store, are as the directory above has
    // them.
    private static void MakeOnWindows(string path, UnixFileMode fileMode)
    {
        if (fileMode == FileRights.OwnerAlone && !FileRights.AreOfDirectoryAbove(path))
        {
            CurrentPlatform.Instance.MakePrivateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path);
        }
    }

    private static void RefuseQueue(string path)
    {
        if (CurrentPlatform.Instance.IsThere(System.IO.Path.Combine(path, StoreFormat.MetaName)))
        {
            throw new QueueException(
                $"{path} is a queue. A store is a directory of queues: give the path of the directory that this one is in.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        if (QueueDeletion.IsMarked(path))
        {
            throw new QueueException(
                $"{path} is a queue whose deletion has not ended. Delete it once more, or give another path.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
    }

    /// <exception cref="QueueException">
    /// The directory has no queue, and something in it that a killed maker of a queue does not leave.
    /// </exception>
    public static void RefuseContent(QueueFiles files, string meta = StoreFormat.MetaName)
    {
        if (RefusalOf(files, meta) is { } refusal)
        {
            throw refusal;
        }
    }

    private static QueueException? RefusalOf(QueueFiles files, string meta) => files.Exists(meta) ? null
        : SalvagedHeader.HasMessages(files.Directory)
        ? new QueueCorruptException(files.PathOf(meta), 0, $"it is missing, and there are segments with messages. {StoreFormat.Remedy}")
        : ForeignIn(files.Directory, meta) is { } name ? NotEmpty(files.Directory, name)
        : null;

    private static QueueException NotEmpty(string directory, string name) => new(
        $"{directory} is not a queue, and not empty: it holds {name}. {DirectoryKind.Advice(directory)} A new one is made where the "
            + "directory is empty or does not exist.")
    { Reason = QueueError.NotAQueue, Path = directory };

    /// <summary>
    /// The name of an entry that no maker of a queue, store or lanes, whichever has this meta file, makes; null where there is none.
    /// </summary>
    public static string? ForeignIn(string path, string meta = StoreFormat.MetaName) => FirstIn(
        path, entry => CurrentPlatform.Instance.IsDirectory(entry) || !IsOfMaker(System.IO.Path.GetFileName(entry), meta));

    /// <summary>The name of an entry that no queue, store or lanes ever has, wherever it stands; null where there is none.</summary>
    public static string? StrangerIn(string path, string meta = StoreFormat.MetaName) => FirstIn(path, entry =>
        System.IO.Path.GetFileName(entry) is var name
        && !(CurrentPlatform.Instance.IsDirectory(entry) ? StoreFormat.IsOurDirectory(name) : IsOfMaker(name, meta)));

    private static bool IsOfMaker(string name, string meta) => StoreFormat.IsOurs(name) || name == meta + StoreFormat.UnfinishedSuffix;

    // What is gone by now is nothing, whatever it looked like.
    private static string? FirstIn(string path, Func<string, bool> isMeant) => System.IO.Path.GetFileName(
        Directory.EnumerateFileSystemEntries(path).FirstOrDefault(entry => isMeant(entry) && CurrentPlatform.Instance.IsThere(entry)));
}
