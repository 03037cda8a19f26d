using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A file system in memory that is so large and no larger.</summary>
internal sealed class SmallDisk : IDisposable
{
    private const int LooksForRoom = 5;

    private static readonly TimeSpan PauseOfLooks = TimeSpan.FromMilliseconds(50);

    private readonly string _filler;

    public SmallDisk(string path, string size)
    {
        Path = Directory.CreateDirectory(path).FullName;
        Run("mount", "-t", "tmpfs", "-o", $"size={size}", "tmpfs", Path);
        _filler = System.IO.Path.Combine(Path, "filler");
    }

    public string Path { get; }

    public string this[string name] => System.IO.Path.Combine(Path, name);

    /// <summary>
    /// Writes a file until not a byte more fits, and goes on until none has fitted for a while: a queue that reserves room meanwhile has
    /// taken a part of it, and gives that back when the rest is missing.
    /// </summary>
    public void Fill()
    {
        using var file = new FileStream(_filler, FileMode.Append, FileAccess.Write, FileShare.None, bufferSize: 0);
        for (int looks = 0; looks < LooksForRoom; looks++)
        {
            if (TryFill(file))
            {
                looks = 0;
            }
            Thread.Sleep(PauseOfLooks);
        }
    }

    // Returns whether a byte fitted.
    private static bool TryFill(FileStream file)
    {
        byte[] page = new byte[4096];
        bool hasFitted = false;
        try
        {
            for (; ; hasFitted = true)
            {
                file.Write(page);
            }
        }
        catch (IOException)
        {
            // This is what a full disk says.
            return hasFitted;
        }
    }

    /// <summary>Makes room again.</summary>
    public void Free() => File.Delete(_filler);

    public void Dispose() => Run("umount", "--lazy", Path);

    private static void Run(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
