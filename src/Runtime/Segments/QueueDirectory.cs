namespace BlitQueue.Segments;

/// <summary>A queue's directory before anything is known of it.</summary>
internal readonly record struct QueueDirectory(string Path, bool Made)
{
    /// <summary>Makes the directory if need be, and refuses what cannot be one.</summary>
    /// <exception cref="QueueException">The path is a file, foreign files stand there, or there are no rights to it.</exception>
    public static QueueDirectory Prepare(string path, UnixFileMode fileMode)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = System.IO.Path.GetFullPath(path);
        if (File.Exists(full))
        {
            throw new QueueException($"{full} is a file. A queue is a directory: give a path that does not exist yet, or that of a queue.");
        }
        try
        {
            bool made = !Directory.Exists(full);
            if (made)
            {
                Make(full, fileMode);
            }
            else
            {
                RefuseForeign(full);
            }
            return new QueueDirectory(full, made);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw NoRights(full, exception);
        }
        catch (IOException exception) when (exception is not FileNotFoundException)
        {
            throw new QueueException($"{full} cannot be made or read as a directory: {exception.Message}", exception);
        }
    }

    public static QueueException NoRights(string path, Exception exception) => new(
        $"{path}: this user has no right to read and write it ({exception.Message}). "
        + "Give the user rights to the directory and its files, or choose another path.", exception);

    /// <summary>Takes back a directory that was made for a queue which could not be made.</summary>
    public void RemoveIfMadeAndEmpty()
    {
        try
        {
            if (Made && Directory.Exists(Path) && !Directory.EnumerateFileSystemEntries(Path).Any())
            {
                Directory.Delete(Path);
            }
        }
        catch (IOException)
        {
            // Another process has just begun to make the queue there.
        }
    }

    private static void Make(string path, UnixFileMode fileMode)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }
        // Who may read or write the files may also enter and list, or make and delete, in the directory.
        UnixFileMode mode = fileMode | UnixFileMode.UserExecute
            | (fileMode.HasFlag(UnixFileMode.GroupRead) ? UnixFileMode.GroupExecute : 0)
            | (fileMode.HasFlag(UnixFileMode.OtherRead) ? UnixFileMode.OtherExecute : 0);
        Directory.CreateDirectory(path, mode);
    }

    // A directory without a queue is only taken if it is empty but for what a killed maker left.
    private static void RefuseForeign(string path)
    {
        if (File.Exists(System.IO.Path.Combine(path, StoreFormat.MetaName)))
        {
            return;
        }
        foreach (string entry in Directory.EnumerateFileSystemEntries(path))
        {
            if (!StoreFormat.IsOurs(System.IO.Path.GetFileName(entry)) || Directory.Exists(entry))
            {
                throw new QueueException(
                    $"{path} is not a queue, and not empty: it holds {System.IO.Path.GetFileName(entry)}. "
                    + "Give the path of a queue, or one that is empty or does not exist.");
            }
        }
    }
}
