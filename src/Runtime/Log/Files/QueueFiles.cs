using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>Makes, opens and deletes the files in one queue's directory, an absolute path. New files get the queue's rights.</summary>
internal sealed class QueueFiles(string directory, UnixFileMode? mode, FileAccess access = FileAccess.ReadWrite)
{
    /// <summary>How many bytes a text file of a queue has at most.</summary>
    public const int MostTextBytes = 16 << 20;

    private FileRights? _rights;

    // Names of new files that are not synced yet; null where each is synced at once.
    private List<string>? _deferred;

    // Paths of deleted files that the system has not deleted yet.
    private readonly List<string> _aside = [];
    private readonly Lazy<StoreMedium> _medium = new(() => StoreMedium.Of(directory));

    public string Directory => directory;

    /// <summary>
    /// Whether the directory is in memory, so that nothing in it survives a restart of the machine: then nothing is synced.
    /// </summary>
    public bool IsInMemory => _medium.Value.IsMemory;

    /// <summary>What the directory is on.</summary>
    public StoreMedium Medium => _medium.Value;

    /// <summary>The rights of files that are made.</summary>
    public UnixFileMode Mode => Rights.Mode;

    private FileRights Rights => _rights ??= FileRights.Of(directory, mode);

    /// <summary>
    /// Reads the rights again, as another process may have made the queue meanwhile: files that are made from now on get its rights.
    /// </summary>
    public void TakeRightsAnew() => _rights = null;

    public string PathOf(string name) => Path.Combine(directory, name);

    /// <summary>Whether anything has this name, a file or not.</summary>
    public bool Exists(string name) => CurrentPlatform.Instance.IsThere(PathOf(name));

    /// <summary>Opens a file of the queue, or makes it empty.</summary>
    public SafeFileHandle OpenOrCreate(string name) => Open(name, FileMode.OpenOrCreate);

    public SafeFileHandle OpenExisting(string name) => Open(name, FileMode.Open);

    /// <summary>Makes a file anew under its unfinished name; deletes what an earlier attempt left there.</summary>
    public SafeFileHandle CreateUnfinished(string name) => CreateAnew(name + StoreFormat.UnfinishedSuffix);

    /// <summary>Makes a file anew; deletes what an earlier attempt left under the name.</summary>
    public SafeFileHandle CreateAnew(string name)
    {
        // Deleted, not truncated: another process may still have it mapped, and would die when it touches a page that is gone.
        Delete(name);
        return Open(name, FileMode.CreateNew);
    }

    /// <summary>Makes a file anew in a subdirectory of the queue's, with the rights of the queue's files.</summary>
    /// <param name="path">Absolute. Nothing has this name.</param>
    public SafeFileHandle CreateAt(string path) => Create(path, FileMode.CreateNew, FileAccess.ReadWrite);

    private SafeFileHandle Create(string path, FileMode fileMode, FileAccess fileAccess)
    {
        SafeFileHandle file = CurrentPlatform.Instance.OpenFile(
            path, fileMode, fileAccess, Rights.Mode, isTemporary: OperatingSystem.IsWindows() && ExpressDirectory.Contains(directory));
        if (Rights.Group is { } group)
        {
            CurrentPlatform.Instance.TrySetGroup(file, group);
        }
        return file;
    }

    /// <summary>
    /// Reserves all disk blocks of a large file; in memory as <see cref="IPlatform.PreallocateInMemory"/> says.
    /// </summary>
    /// <exception cref="DiskFullException">There is no room; who made the file deletes it.</exception>
    public void Preallocate(SafeFileHandle file, long size)
    {
        if (IsInMemory)
        {
            CurrentPlatform.Instance.PreallocateInMemory(file, size);
        }
        else
        {
            CurrentPlatform.Instance.Preallocate(file, size);
        }
    }

    /// <summary>Makes an empty file, unless the file exists.</summary>
    public void Touch(string name)
    {
        OpenOrCreate(name).Dispose();
        SyncNames();
    }

    /// <summary>
    /// Takes a file out of the queue by giving it an unfinished name, which it keeps, before a caller writes anything to it that does not
    /// agree with its old name.
    /// </summary>
    /// <returns>false when there is no such file.</returns>
    public bool TryMakeUnfinished(string name, string unfinished)
    {
        try
        {
            Rename(name, unfinished);
            return true;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Gives a complete file its name, unless another file has it. The name is not on the disk yet.</summary>
    public bool TryName(string unfinished, string name) => CurrentPlatform.Instance.TryName(PathOf(unfinished), PathOf(name));

    /// <summary>Gives a complete file its name so that it survives a power loss: syncs the contents first, then the name.</summary>
    public void Finish(string name, SafeFileHandle file)
    {
        RandomAccess.FlushToDisk(file);
        Rename(name + StoreFormat.UnfinishedSuffix, name);
    }

    /// <summary>As <see cref="Finish"/>, for a file that is not there yet.</summary>
    /// <exception cref="OvertakenException">It is there: somebody else has made it.</exception>
    public void FinishNew(string name, SafeFileHandle file)
    {
        Sync(file);
        NameNew(name + StoreFormat.UnfinishedSuffix, name);
    }

    /// <summary>Gives a complete file a name that no other file has, so that the name survives a power loss.</summary>
    /// <exception cref="OvertakenException">Another file has it.</exception>
    public void NameNew(string unfinished, string name)
    {
        if (!TryName(unfinished, name))
        {
            throw new OvertakenException(PathOf(name));
        }
        _deferred?.Add(name);
        SyncNames();
    }

    /// <summary>Brings the contents of a new file to the disk, now or with <see cref="SyncDeferred"/>.</summary>
    public void Sync(SafeFileHandle file)
    {
        if (_deferred is null)
        {
            RandomAccess.FlushToDisk(file);
        }
    }

    /// <summary>
    /// Until <see cref="SyncDeferred"/>, new files and their names are not synced: the first of many syncs has the disk do the work of all.
    /// For files that mean nothing before a later one is there.
    /// </summary>
    public void DeferSyncs() => _deferred = [];

    /// <summary>Syncs the files that were made since <see cref="DeferSyncs"/>, then their names.</summary>
    public void SyncDeferred()
    {
        List<string> names = _deferred ?? [];
        _deferred = null;
        foreach (string name in names)
        {
            using SafeFileHandle file = OpenExisting(name);
            RandomAccess.FlushToDisk(file);
        }
        SyncNames();
    }

    /// <summary>Gives a file another name, and replaces the file that has it.</summary>
    public void Rename(string from, string to)
    {
        CurrentPlatform.Instance.Replace(PathOf(from), PathOf(to));
        SyncNames();
    }

    /// <summary>Syncs the names in the directory, so that they survive a power loss.</summary>
    public void SyncNames()
    {
        if (!IsInMemory && _deferred is null)
        {
            CurrentPlatform.Instance.SyncDirectory(directory);
        }
    }

    /// <summary>Writes bytes to a file.</summary>
    /// <exception cref="IOException">
    /// The system refuses; a <see cref="DiskFullException"/> where the file cannot become so long.
    /// </exception>
    public static void Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        try
        {
            RandomAccess.Write(file, bytes, offset);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            throw new DiskFullException(exception.Message);
        }
    }

    /// <summary>
    /// Throws when the path leads to another directory than the one that the handle has open, as a copy. It is called for each file that is
    /// to be mapped, because nothing in a file tells it from its copy.
    /// </summary>
    public Action? RequireDirectory { get; set; }

    /// <summary>
    /// Maps a file. All files of a queue are mapped here, except those that were made and reserved a moment ago: so no file that is mapped
    /// has a hole that a store, or in memory a look, would end the process at. A copying program may have left holes where there are zeros.
    /// </summary>
    /// <remarks>
    /// A large first segment has parts without blocks in the original, too; what a copy needs beyond that, the recovery reserves before it
    /// maps the segment.
    /// </remarks>
    /// <exception cref="QueueCorruptException">The file has another length.</exception>
    /// <exception cref="QueueFullException">The file has holes, and there is no room to fill them.</exception>
    /// <exception cref="QueueException">The path leads to another directory.</exception>
    /// <exception cref="FileNotFoundException">There is no such file in the queue's own directory.</exception>
    public MappedRegion Map(string name, long length)
    {
        using SafeFileHandle file = OpenToMap(name);
        // After the file was opened, so that the answer is about the directory that it is in.
        RequireDirectory?.Invoke();
        long actual = RandomAccess.GetLength(file);
        if (actual != length)
        {
            throw new QueueCorruptException(
                PathOf(name), actual, $"the file has {actual} bytes where {length} are expected. {StoreFormat.Remedy}");
        }
        if (access == FileAccess.Read)
        {
            return MapToRead(file, name, length);
        }
        if (!StoreFormat.IsReservedInSteps(name, length))
        {
            FillHoles(file, name, length);
        }
        return new MappedRegion(file, length);
    }

    /// <summary>
    /// Whether some of a file's first bytes have no blocks of the disk. On a file system that takes a new block for each write, and
    /// reserves none, nothing is gained by asking.
    /// </summary>
    public bool HasHoles(SafeFileHandle file, long length) => CurrentPlatform.Instance.HasHoles(file, length) && !Medium.ReservesNothing;

    private void FillHoles(SafeFileHandle file, string name, long length)
    {
        try
        {
            if (HasHoles(file, length))
            {
                CurrentPlatform.Instance.TryReserve(file, length, 0, length);
            }
        }
        catch (DiskFullException exception)
        {
            throw CannotFill(name, exception);
        }
    }

    // A look at a hole takes a page where the directory is in memory. Who has no right to write cannot reserve it; to read all that callers
    // may look at does the same.
    private MappedRegion MapToRead(SafeFileHandle file, string name, long length)
    {
        var region = new MappedRegion(file, length, isWritten: false);
        if (IsInMemory && HasHoles(file, length) && !region.TryPopulate(ReadPart(file, name, length)))
        {
            region.Dispose();
            throw CannotFill(name, null);
        }
        return region;
    }

    // Of a segment that is reserved in steps: up to the header behind the last record.
    private static long ReadPart(SafeFileHandle file, string name, long length) => StoreFormat.IsReservedInSteps(name, length)
        ? Math.Min(length, CurrentPlatform.Instance.EndOfData(file, length) + SegmentFormat.PageSize)
        : length;

    private QueueFullException CannotFill(string name, Exception? cause) => new(
        $"{PathOf(name)}: a copying program left holes in this file, and the disk has no room to fill them. No message was lost. Free disk "
        + "space, then try again.", cause)
    { Path = PathOf(name) };

    /// <summary>Reads a small text file.</summary>
    /// <exception cref="QueueCorruptException">It is larger than any such file.</exception>
    public string ReadText(string name)
    {
        using SafeFileHandle file = OpenExisting(name);
        long length = RandomAccess.GetLength(file);
        if (length > MostTextBytes)
        {
            throw new QueueCorruptException(
                PathOf(name), MostTextBytes, $"it has {length} bytes, more than such a file can have. {StoreFormat.Remedy}");
        }
        byte[] bytes = new byte[length];
        int read = RandomAccess.Read(file, bytes, 0);
        return Encoding.UTF8.GetString(bytes, 0, read);
    }

    /// <summary>Reads a file, or as much of it as a file of its kind can have.</summary>
    public byte[] ReadBytes(string name, int most)
    {
        using SafeFileHandle file = OpenExisting(name);
        byte[] bytes = new byte[Math.Min(RandomAccess.GetLength(file), most)];
        return bytes[..RandomAccess.Read(file, bytes, 0)];
    }

    /// <summary>Reads bytes of a file without a mapping.</summary>
    /// <returns>false when there is no such file, or it is shorter.</returns>
    public bool TryRead(string name, long offset, Span<byte> destination)
    {
        try
        {
            using SafeFileHandle file = OpenExisting(name);
            return RandomAccess.Read(file, destination, offset) == destination.Length;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
    }

    // A file that is not there may be missing because the path leads to another directory.
    private SafeFileHandle OpenToMap(string name)
    {
        try
        {
            return OpenExisting(name);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            RequireDirectory?.Invoke();
            throw;
        }
    }

    /// <summary>
    /// Deletes a file, if it is there. A system that deletes no file which a process has mapped gives it another name, under which this
    /// handle or a later opening deletes it.
    /// </summary>
    public void Delete(string name)
    {
        lock (_aside)
        {
            string[] left = [.. _aside, PathOf(name)];
            _aside.Clear();
            Array.ForEach(left, DeleteOrSetAside);
        }
    }

    /// <summary>The same for a file below the queue's directory, which then gets its other name in the directory itself.</summary>
    public void DeleteAt(string path)
    {
        lock (_aside)
        {
            DeleteOrSetAside(path);
        }
    }

    /// <summary>Whether files that this handle deleted are still there under other names.</summary>
    public bool HasSetAside
    {
        get
        {
            lock (_aside)
            {
                return _aside.Count > 0;
            }
        }
    }

    private void DeleteOrSetAside(string path)
    {
        string aside = PathOf(StoreFormat.AsideName());
        if (!CurrentPlatform.Instance.Delete(path, aside))
        {
            _aside.Add(aside);
        }
    }

    private SafeFileHandle Open(string name, FileMode fileMode)
    {
        try
        {
            return fileMode == FileMode.Open
                ? CurrentPlatform.Instance.OpenFile(PathOf(name), fileMode, access, mode ?? FileRights.OwnerAlone)
                : Create(PathOf(name), fileMode, access);
        }
        catch (IrregularFileException exception)
        {
            throw new QueueCorruptException(PathOf(name), 0,
                $"it is {exception.Kind}, where the queue's own file is expected; nothing was followed or read. Put the file back, or have "
                + "Repair (docs/repair.md) set this aside.", exception);
        }
    }
}
