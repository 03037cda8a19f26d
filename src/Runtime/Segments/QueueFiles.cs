using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>Makes, opens and deletes the files of one queue's directory, with the rights that were asked for.</summary>
internal sealed class QueueFiles(string directory, UnixFileMode mode)
{
    public string Directory => directory;

    public string PathOf(string name) => Path.Combine(directory, name);

    public bool Exists(string name) => File.Exists(PathOf(name));

    /// <summary>Opens a file of the queue, or makes it empty.</summary>
    public SafeFileHandle OpenOrCreate(string name) => Open(name, FileMode.OpenOrCreate);

    public SafeFileHandle OpenExisting(string name) => Open(name, FileMode.Open);

    /// <summary>Makes a file anew under its unfinished name; what an earlier attempt left there goes.</summary>
    public SafeFileHandle CreateUnfinished(string name)
    {
        // Deleted, not truncated: another process may still have it mapped, and would die of touching a page that is gone.
        Delete(name + StoreFormat.UnfinishedSuffix);
        return Open(name + StoreFormat.UnfinishedSuffix, FileMode.CreateNew);
    }

    /// <summary>Takes a file off the queue: it goes on under the unfinished name of another.</summary>
    public SafeFileHandle MakeUnfinished(string name, string unfinishedName)
    {
        File.Move(PathOf(name), PathOf(unfinishedName + StoreFormat.UnfinishedSuffix), overwrite: true);
        return Open(unfinishedName + StoreFormat.UnfinishedSuffix, FileMode.Open);
    }

    /// <summary>
    /// Gives a file that is complete its name, so that it survives a power loss: contents first, then the name.
    /// </summary>
    public void Finish(string name, SafeFileHandle file)
    {
        RandomAccess.FlushToDisk(file);
        Rename(name);
    }

    public void Rename(string name)
    {
        File.Move(PathOf(name + StoreFormat.UnfinishedSuffix), PathOf(name), overwrite: true);
        Recommended.Platform.SyncDirectory(directory);
    }

    public MappedRegion Map(string name, long length)
    {
        using SafeFileHandle file = OpenExisting(name);
        long actual = RandomAccess.GetLength(file);
        return actual == length
            ? new MappedRegion(file, length)
            : throw new QueueCorruptException(PathOf(name), actual,
                $"the file has {actual} bytes where {length} are expected. Restore it from a backup, or move the queue's directory aside.");
    }

    /// <summary>Reads bytes of a file without mapping it.</summary>
    /// <returns>false when there is no such file, or it is shorter.</returns>
    public bool TryRead(string name, long offset, Span<byte> destination)
    {
        try
        {
            using SafeFileHandle file = OpenExisting(name);
            return RandomAccess.Read(file, destination, offset) == destination.Length;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Deletes a file of a directory that is no queue (yet).</summary>
    public void DeleteUnlessQueue(string name)
    {
        if (!Exists(StoreFormat.MetaName))
        {
            Delete(name);
        }
    }

    public void Delete(string name) => File.Delete(PathOf(name));

    private SafeFileHandle Open(string name, FileMode fileMode)
    {
        var options = new FileStreamOptions
        {
            Mode = fileMode,
            Access = FileAccess.ReadWrite,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (fileMode != FileMode.Open && !OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = mode;
        }
        // The stream is only the way to a handle with the right create mode; the handle outlives it.
        var stream = new FileStream(PathOf(name), options);
        GC.SuppressFinalize(stream);
        return stream.SafeFileHandle;
    }
}
