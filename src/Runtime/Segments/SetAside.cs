using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>The directory into which one repair puts what is damaged; made with the first. Nothing in it is ever overwritten or deleted.</summary>
internal sealed class SetAside(QueueFiles files)
{
    private const UnixFileMode Enter = UnixFileMode.UserExecute;

    private readonly string _path = files.PathOf($"{StoreFormat.AsidePrefix}{DateTime.UtcNow:yyyyMMddTHHmmssfff}");

    /// <summary>The directory; null as long as nothing was set aside.</summary>
    public string? Directory { get; private set; }

    /// <summary>Moves whatever has this name: a file, a directory, a link.</summary>
    public void Move(string name)
    {
        string from = files.PathOf(name), to = Place(name);
        // Also a link to one: it is renamed itself.
        if (System.IO.Directory.Exists(from))
        {
            System.IO.Directory.Move(from, to);
        }
        else
        {
            File.Move(from, to);
        }
        Recommended.Platform.SyncDirectory(Directory!);
    }

    /// <summary>Keeps a copy of a file that is going to be mended.</summary>
    /// <exception cref="QueueFullException">The disk has no room for it.</exception>
    public void Copy(string name)
    {
        try
        {
            using SafeFileHandle from = files.OpenExisting(name);
            Copy(from, Place(name));
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            throw new QueueFullException(
                $"{Directory}: the disk has no room to keep {name} there as it was. It was not changed. Free disk space, then repair again.", exception);
        }
    }

    private void Copy(SafeFileHandle from, string path)
    {
        using SafeFileHandle to = Recommended.Platform.OpenFile(path, FileMode.CreateNew, FileAccess.ReadWrite, files.Mode);
        byte[] buffer = new byte[1 << 16];
        long offset = 0;
        for (int read; (read = RandomAccess.Read(from, buffer, offset)) > 0; offset += read)
        {
            RandomAccess.Write(to, buffer.AsSpan(0, read), offset);
        }
        RandomAccess.FlushToDisk(to);
        Recommended.Platform.SyncDirectory(Directory!);
    }

    private string Place(string name)
    {
        if (Directory is null)
        {
            string free = _path;
            for (int i = 2; Path.Exists(free); i++)
            {
                free = $"{_path}-{i}";
            }
            if (OperatingSystem.IsWindows())
            {
                System.IO.Directory.CreateDirectory(free);
            }
            else
            {
                System.IO.Directory.CreateDirectory(free, files.Mode | Enter);
            }
            files.SyncNames();
            Directory = free;
        }
        string place = Path.Combine(Directory, name);
        for (int i = 2; Path.Exists(place) || new FileInfo(place).LinkTarget is not null; i++)
        {
            place = Path.Combine(Directory, $"{name}-{i}");
        }
        return place;
    }
}
