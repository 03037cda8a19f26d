using System.Diagnostics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A file system in memory that is so large and no larger.</summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly string _filler;

    public SmallDisk(string path, string size)
    {
        Path = Directory.CreateDirectory(path).FullName;
        Run("mount", "-t", "tmpfs", "-o", $"size={size}", "tmpfs", Path);
        _filler = System.IO.Path.Combine(Path, "filler");
    }

    public string Path { get; }

    public string this[string name] => System.IO.Path.Combine(Path, name);

    /// <summary>Writes a file until not a byte more fits.</summary>
    public void Fill()
    {
        using var file = new FileStream(_filler, FileMode.Append, FileAccess.Write, FileShare.None, bufferSize: 0);
        byte[] page = new byte[4096];
        try
        {
            for (; ; )
            {
                file.Write(page);
            }
        }
        catch (IOException)
        {
            // This is what a full disk says.
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
