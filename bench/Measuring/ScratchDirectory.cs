using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Measuring;

/// <summary>
/// A fresh directory, in shared memory or on a disk, which is deleted in the end, however this program ends, save SIGKILL.
/// </summary>
internal sealed class ScratchDirectory : IDisposable
{
    private const string SharedMemory = "/dev/shm";
    private const int Interrupted = 130, MostTries = 100;

    private static readonly ConcurrentDictionary<string, ScratchDirectory> All = [];

    // The default would end the process without a word. Kept, or they end when they are collected.
    private static readonly PosixSignalRegistration[] OnSignals =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, End),
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, End),
        PosixSignalRegistration.Create(PosixSignal.SIGHUP, End),
    ];

    // Environment.Exit comes by there, and not by the callers' finally.
    static ScratchDirectory() => AppDomain.CurrentDomain.ProcessExit += static (_, _) => DeleteAll();

    /// <summary>Raised when the program ends, before directories go: what may still make files there is to be ended.</summary>
    public static event Action? Ending;

    public ScratchDirectory(bool onDisk)
    {
        string root = onDisk || !Directory.Exists(SharedMemory) ? System.IO.Path.GetTempPath() : SharedMemory;
        Path = System.IO.Path.Combine(root, $"blitqueue-bench-{Guid.NewGuid():N}");
        Directory.CreateDirectory(Path);
        All[Path] = this;
    }

    public string Path { get; }

    public void Dispose()
    {
        if (All.TryRemove(Path, out _))
        {
            Directory.Delete(Path, recursive: true);
        }
    }

    /// <summary>Deletes what is left. The thread that ends the program calls it, too: so none ends it while another deletes.</summary>
    public static void DeleteAll()
    {
        GC.KeepAlive(OnSignals);
        Ending?.Invoke();
        foreach (string path in All.Keys)
        {
            // Other threads may still be making files there, or deleting them.
            for (int tries = 0; Directory.Exists(path) && tries < MostTries; tries++)
            {
                try
                {
                    Directory.Delete(path, recursive: true);
                }
                catch (IOException)
                {
                    Thread.Sleep(TimeSpan.FromMilliseconds(100));
                }
            }
        }
    }

    private static void End(PosixSignalContext signal)
    {
        signal.Cancel = true;
        Environment.Exit(Interrupted);
    }
}
