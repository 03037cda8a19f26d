using BlitQueue.Segments;

namespace BlitQueue.Tests.Processes;

/// <summary>A directory of a test's own: the queue stands in one below it, beside the logs of those who work on it.</summary>
internal sealed class Site : IDisposable
{
    private const string SharedMemory = "/dev/shm";

    private readonly DirectoryInfo _root;
    private int _logs;

    /// <param name="inMemory">Without a disk, where the system can: for tests that measure, which a busy disk must not disturb.</param>
    public Site(bool inMemory = false) => _root = inMemory && Directory.Exists(SharedMemory)
        ? Directory.CreateDirectory(Path.Combine(SharedMemory, $"blitqueue-{Guid.NewGuid():N}"))
        : StoreMedium.Of(Path.GetTempPath()).IsMemory
            // The temporary directory may be in memory, where nothing can be made durable.
            ? Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, $"blitqueue-{Guid.NewGuid():N}"))
            : Directory.CreateTempSubdirectory("blitqueue-");

    public string Root => _root.FullName;

    public string Queue => Path.Combine(Root, "queue");

    /// <summary>Writes over some bytes of one of the queue's files.</summary>
    public void Overwrite(string name, long offset, byte[] bytes)
    {
        using FileStream file = System.IO.File.Open(File(name), FileMode.Open, FileAccess.ReadWrite);
        file.Position = offset;
        file.Write(bytes);
    }

    public string File(string name) => Path.Combine(Queue, name);

    public string NewLog() => Path.Combine(Root, $"{Interlocked.Increment(ref _logs)}.log");

    /// <summary>The names in the queue's directory; none where there is no such directory.</summary>
    public string[] Files() => Directory.Exists(Queue)
        ? [.. Directory.EnumerateFileSystemEntries(Queue).Select(Path.GetFileName).Order(StringComparer.Ordinal)!]
        : [];

    public void Dispose() => _root.Delete(recursive: true);
}
