using System.Diagnostics;

namespace BlitQueue.Tool;

/// <summary>Directories in every state that a command may find.</summary>
internal static class States
{
    private const UnixFileMode ForAll = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    public static string[] All { get; } =
    [
        "fine", "missing", "empty", "file", "foreign", "newer", "lanes", "unfinished repair", "damaged description", "damaged log",
        "lost control file", "failed sync", "full", "unreadable", "only readable", "locked",
    ];

    /// <summary>Makes one.</summary>
    /// <param name="state">Its name.</param>
    /// <param name="root">Where; it is empty.</param>
    /// <param name="locker">The process that holds the lock of a locked one, to be killed; null for others.</param>
    /// <returns>The path that a command is given.</returns>
    public static string Make(string state, string root, out Process? locker)
    {
        string path = Path.Combine(root, "orders");
        locker = null;
        File.SetUnixFileMode(root, ForAll);
        switch (state)
        {
            case "missing":
                break;
            case "empty":
                Directory.CreateDirectory(path);
                break;
            case "file":
                File.WriteAllText(path, "hello");
                break;
            case "foreign":
                Directory.CreateDirectory(path);
                File.WriteAllText(Path.Combine(path, "queue.meta"), "[queue]\nname=another program's\n");
                break;
            case "lanes":
                MappedLanes<Order>.Open(path, 2).Dispose();
                break;
            default:
                Fill(path);
                locker = Change(state, path);
                break;
        }

        return path;
    }

    private static Process? Change(string state, string path)
    {
        string meta = Path.Combine(path, "queue.meta");
        switch (state)
        {
            case "newer":
                File.WriteAllText(meta, File.ReadAllText(meta).Replace("BlitQueue 1", "BlitQueue 2", StringComparison.Ordinal));
                break;
            case "unfinished repair":
                File.WriteAllText(Path.Combine(path, "queue.repair"), "");
                break;
            case "damaged description":
                File.WriteAllText(meta, File.ReadAllText(meta).Replace("Customer", "Custmoer", StringComparison.Ordinal));
                break;
            case "damaged log":
                Damage(Directory.GetFiles(path, "segment-*").Single());
                break;
            case "failed sync":
                // What a process whose sync fails writes: docs/FORMAT.md, word "failed".
                using (FileStream control = File.OpenWrite(Path.Combine(path, "queue.control")))
                {
                    control.Position = 2176;
                    control.WriteByte(5);
                }

                break;
            case "full":
                using (var queue = MappedQueue<Order>.Open(path, new QueueOptions { Capacity = 1 << 16 }))
                {
                    for (int number = 8; queue.TryEnqueue(Order.Make(number)); number++)
                    {
                    }
                }

                break;
            case "lost control file":
                File.Delete(Path.Combine(path, "queue.control"));
                break;
            case "unreadable":
                File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
                break;
            case "only readable":
                Array.ForEach(Directory.GetFileSystemEntries(path, "*", SearchOption.AllDirectories), OpenForAll);
                File.SetUnixFileMode(path, ForAll);
                break;
            case "locked":
                Process locker = Process.Start(new ProcessStartInfo("flock", [path, "sh", "-c", "echo locked; exec sleep 600"])
                { RedirectStandardOutput = true })!;
                Assert.Equal("locked", locker.StandardOutput.ReadLine());
                return locker;
        }

        return null;
    }

    private static void OpenForAll(string path) => File.SetUnixFileMode(path, Directory.Exists(path)
        ? ForAll
        : UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead);

    private static void Fill(string path)
    {
        using var queue = MappedQueue<Order>.Open(path, new QueueOptions { SegmentSize = 1 << 16 });
        for (int number = 0; number < 8; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        using Subscription<Order> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("no such customer");
    }

    // A byte of the fifth message.
    private static void Damage(string segment)
    {
        byte[] bytes = File.ReadAllBytes(segment);
        bytes[bytes.AsSpan().IndexOf("A-4"u8)] ^= 1;
        File.WriteAllBytes(segment, bytes);
    }
}
