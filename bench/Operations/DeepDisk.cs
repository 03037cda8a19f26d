using System.Diagnostics;
using System.Runtime.InteropServices;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Workloads;
using BlitQueue.Log;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Bench.Operations;

/// <summary>What has happened to a deep queue before it is opened.</summary>
internal enum Before
{
    /// <summary>Its last process ended.</summary>
    Nothing,

    /// <summary>The machine went down when all was on the disk.</summary>
    PowerLoss,

    /// <summary>Its files were copied.</summary>
    Copy,
}

/// <summary>
/// A deep queue on disk that can be put back to how it was when it was filled, with nothing of it in the system's memory. What an
/// opening may change is kept beside it: the control file, the subscription, the segments' headers and the end of the log.
/// </summary>
/// <param name="bytes">Of its messages, 1 KB each.</param>
/// <param name="batch">How many are enqueued together; 1 for each by itself.</param>
internal sealed partial class DeepDisk(long bytes, int batch) : IDisposable
{
    private const int MessageSize = 1024, DontNeed = 4, LastSegments = 2, HeaderSize = 4 * SegmentFormat.PageSize;

    private readonly DeepQueue<Fixed1024> _queue = new(bytes / MessageSize, MessageSize, onDisk: true, batch);
    private Dictionary<string, byte[]>? _remembered;
    private HashSet<string> _names = [];

    /// <summary>How many messages there are.</summary>
    public long Messages => _queue.Messages;

    /// <summary>The queue's directory. Filled when first asked for.</summary>
    public string Path => _queue.Directory;

    /// <summary>The files of its log, in order, as it was filled.</summary>
    public IEnumerable<string> Segments => _names.Where(IsSegment).Order(StringComparer.Ordinal).Select(PathOf);

    /// <summary>Puts it back to how it was when it was filled, and has something happen to it. No process has it open.</summary>
    public void PutBack(Before before)
    {
        _remembered ??= Remember();
        foreach (string added in FileNames().Where(name => !_names.Contains(name)))
        {
            File.Delete(PathOf(added));
        }
        foreach ((string name, byte[] content) in _remembered)
        {
            WriteIfOther(PathOf(name), name == StoreFormat.ControlName ? After(before, content) : content);
        }
        foreach (string name in _names)
        {
            Forget(PathOf(name));
        }
    }

    private static byte[] After(Before before, byte[] control)
    {
        byte[] changed = [.. control];
        if (before == Before.PowerLoss)
        {
            "another boot of this machine        "u8.CopyTo(changed.AsSpan(ControlFormat.BootOffset));
        }
        else if (before == Before.Copy)
        {
            changed.AsSpan(ControlFormat.IdentityOffset, ControlFormat.IdentitySize).Fill(0xEE);
        }
        return changed;
    }

    private Dictionary<string, byte[]> Remember()
    {
        // Fills the queue.
        _ = Path;
        _names = [.. FileNames()];
        HashSet<string> headers = [.. _names.Where(IsSegment).Order(StringComparer.Ordinal).SkipLast(LastSegments)];
        return _names.Where(static name => name != StoreFormat.LockName)
            .ToDictionary(static name => name, name => Read(PathOf(name), headers.Contains(name) ? HeaderSize : int.MaxValue));
    }

    private static byte[] Read(string path, int most)
    {
        using SafeFileHandle file = File.OpenHandle(path);
        byte[] content = new byte[Math.Min(most, RandomAccess.GetLength(file))];
        for (int read = 0; read < content.Length;)
        {
            read += RandomAccess.Read(file, content.AsSpan(read), read);
        }
        return content;
    }

    // Into the same file, from its beginning on.
    private static void WriteIfOther(string path, byte[] content)
    {
        if (!Read(path, content.Length).AsSpan().SequenceEqual(content))
        {
            using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.Write);
            RandomAccess.Write(file, content, 0);
        }
    }

    private static bool IsSegment(string name) => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal)
        && !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal);

    private IEnumerable<string> FileNames() => [.. Directory.EnumerateFiles(Path).Select(static path => System.IO.Path.GetFileName(path))];

    private string PathOf(string name) => System.IO.Path.Combine(Path, name);

    // Of a file that is on the disk and that nobody has mapped the system gives back all pages.
    private static void Forget(string path)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite);
        RandomAccess.FlushToDisk(file);
        if (OperatingSystem.IsLinux() && Advise(file, 0, 0, DontNeed) is var error and not 0)
        {
            throw new IOException($"{path}: the system does not forget it (error {error}).");
        }
    }

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    private static partial int Advise(SafeFileHandle file, long offset, long length, int advice);

    public void Dispose()
    {
        _queue.Dispose();
        _remembered = null;
    }
}

/// <summary>
/// A new process opens a deep queue, of which nothing is in memory, and asks for its status; and another one opens it meanwhile.
/// </summary>
/// <param name="name">The row's.</param>
/// <param name="role">The row's.</param>
/// <param name="disk">The queue.</param>
/// <param name="before">What has happened to it.</param>
/// <param name="isAwaited">Whether another process comes to open it while the first one does.</param>
internal sealed class DeepOpening(string name, Role role, DeepDisk disk, Before before, bool isAwaited = false) : Scenario(name, role)
{
    private static readonly TimeSpan LongestBeginning = TimeSpan.FromSeconds(10);

    public override Sample Measure(TimeSpan duration, string root)
    {
        disk.PutBack(before);
        using var first = new OtherProcess(Errand.OpenDeep, disk.Path);
        using OtherProcess? second = isAwaited ? new(Errand.OpenDeep, disk.Path) : null;
        first.AwaitUp();
        second?.AwaitUp();
        first.Go();
        if (second is not null)
        {
            AwaitReading(first);
            second.Go();
        }
        long[] figures = Whole(first.Await()) ?? throw new InvalidDataException("A deep queue cannot be opened.");
        long[]? joined = Whole(second?.Await());
        return new Sample(1, Ns: null)
        {
            Time = figures[0],
            Status = figures[1],
            LongestOpen = joined?[0],
            Refused = second is null ? null : joined is null ? 1 : 0,
        };
    }

    // The one that has the lock says there how much of the log it has gone through.
    private void AwaitReading(OtherProcess reader)
    {
        string path = Path.Combine(disk.Path, StoreFormat.LockName);
        using SafeFileHandle locks = File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);
        SpinWait.SpinUntil(() => OpeningProgress.Look(locks) is { Total: > 0 } look && look.Process == reader.Id, LongestBeginning);
    }

    private long[]? Whole(long[]? figures) => figures is null || (figures[2] == disk.Messages && figures[3] == 0)
        ? figures
        : throw new InvalidDataException($"{Name}: {figures[2]} of {disk.Messages} messages are there, and {figures[3]} faults are told.");

    /// <summary>In the other process.</summary>
    /// <returns>Nanoseconds to open it, and to get its status; messages, and faults that were found.</returns>
    public static Done Open(string path)
    {
        long started = Stopwatch.GetTimestamp();
        var queue = MappedQueue<Fixed1024>.Open(path);
        long opened = Stopwatch.GetTimestamp();
        QueueStatus status = queue.GetStatus();
        long asking = (long)Stopwatch.GetElapsedTime(opened).TotalNanoseconds;
        long opening = (long)Stopwatch.GetElapsedTime(started, opened).TotalNanoseconds;
        return new Done([opening, asking, status.MessageCount, queue.Recovered?.Findings.Count ?? 0], queue);
    }

    public override void Dispose() => disk.Dispose();
}

/// <summary>What the disk allows: the files of a deep queue's log are read one after the other.</summary>
internal sealed class DeepReading(string name, Role role, DeepDisk disk) : Scenario(name, role)
{
    private const int Piece = 1 << 20;

    public override Sample Measure(TimeSpan duration, string root)
    {
        disk.PutBack(Before.Nothing);
        byte[] buffer = new byte[Piece];
        long started = Stopwatch.GetTimestamp();
        foreach (string path in disk.Segments)
        {
            using SafeFileHandle file = File.OpenHandle(path, options: FileOptions.SequentialScan);
            long offset = 0;
            while (RandomAccess.Read(file, buffer, offset) is var read and > 0)
            {
                offset += read;
            }
        }
        return new Sample(1, Ns: null) { Time = Stopwatch.GetElapsedTime(started).TotalNanoseconds };
    }

    public override void Dispose() => disk.Dispose();
}
