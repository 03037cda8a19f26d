using System.Diagnostics;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue.Tests.Processes;

/// <summary>A directory of a test's own: the queue stands in one below it, beside the logs of those who work on it.</summary>
internal sealed class Site : IDisposable
{
    private const string SharedMemory = "/dev/shm";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

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
        using FileStream file = OpenToDamage(File(name));
        file.Position = offset;
        file.Write(bytes);
    }

    /// <summary>Opens a file for writing that a queue may have open.</summary>
    public static FileStream OpenToDamage(string path) =>
        System.IO.File.Open(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Reads a file that a queue may have open.</summary>
    public static byte[] Read(string path)
    {
        using FileStream file = System.IO.File.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        byte[] bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }

    /// <summary>The lines of a file that a process may be writing.</summary>
    public static string[] ReadLines(string path) => Encoding.UTF8.GetString(Read(path)).Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public string File(string name) => Path.Combine(Queue, name);

    public string NewLog() => Path.Combine(Root, $"{Interlocked.Increment(ref _logs)}.log");

    /// <summary>The names in the queue's directory; none where there is no such directory.</summary>
    public string[] Files() => Directory.Exists(Queue)
        ? [.. Directory.EnumerateFileSystemEntries(Queue).Select(Path.GetFileName).Order(StringComparer.Ordinal)!]
        : [];

    /// <summary>
    /// The files beside the queue, where only so many are to be left. Waits for them where no mapped file is deleted: there the process
    /// that has one mapped deletes it later.
    /// </summary>
    public string[] FilesLeft(int count)
    {
        SpinWait.SpinUntil(() => CurrentPlatform.Instance.ReplacesMapped || Directory.GetFiles(Root).Length <= count, Peer.Patience);
        return [.. Directory.GetFiles(Root).Order(StringComparer.Ordinal)];
    }

    /// <summary>Copies a directory, as a user would.</summary>
    /// <param name="options">Further ones of <c>cp</c>, which Windows does not have.</param>
    public static void Copy(string from, string to, params string[] options)
    {
        if (OperatingSystem.IsWindows())
        {
            CopyFiles(from, to);
            return;
        }
        using var copying = Process.Start("cp", ["-r", .. options, from, to]);
        copying.WaitForExit();
    }

    private static void CopyFiles(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(from))
        {
            System.IO.File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
        foreach (string directory in Directory.GetDirectories(from))
        {
            CopyFiles(directory, Path.Combine(to, Path.GetFileName(directory)));
        }
    }

    /// <summary>Fills a file system up to so many bytes.</summary>
    /// <returns>The file whose deletion makes room.</returns>
    public static string FillDisk(string directory, int leave)
    {
        string filler = Path.Combine(directory, "filler");
        using FileStream file = System.IO.File.Create(filler);
        byte[] zeros = new byte[1 << 16];
        try
        {
            for (; ; )
            {
                file.Write(zeros);
                file.Flush(flushToDisk: true);
            }
        }
        catch (IOException)
        {
            file.SetLength(Math.Max(0, file.Length - leave));
        }
        return filler;
    }

    /// <summary>
    /// What this process has open or mapped in a directory of the site, or in all of it. Other tests have theirs elsewhere.
    /// </summary>
    public List<string> OpenFiles(string? directory = null)
    {
        string below = (directory ?? Root) + "/";
        if (!OperatingSystem.IsLinux())
        {
            return [];
        }
        List<string> found = [.. OwnProcess.Mappings(below)];
        foreach (string descriptor in Directory.EnumerateFiles("/proc/self/fd"))
        {
            try
            {
                if (System.IO.File.ResolveLinkTarget(descriptor, returnFinalTarget: false)?.FullName is { } open
                    && open.StartsWith(below, StringComparison.Ordinal))
                {
                    found.Add(open);
                }
            }
            catch (IOException)
            {
                // Closed meanwhile.
            }
        }
        return found;
    }

    /// <summary>Deletes it.</summary>
    /// <exception cref="InvalidOperationException">
    /// The test has not disposed all that it opened there: it would go on making files in a directory that goes.
    /// </exception>
    public void Dispose()
    {
        // What a thread of the pool is just giving back is there for a moment.
        SpinWait.SpinUntil(() => OpenFiles().Count == 0, Patience);
        List<string> found = OpenFiles();
        _root.Delete(recursive: true);
        if (found.Count > 0)
        {
            throw new InvalidOperationException($"The test has not disposed what it opened:\n{string.Join('\n', found)}");
        }
    }
}
