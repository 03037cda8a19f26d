using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>A file system that may be read and not written, from the beginning or suddenly.</summary>
internal static class ReadOnlyDisk
{
    private const int Count = 30, Large = 6000, Attempts = 50;

    public static void BeforeOpening(string root)
    {
        string path = Path.Combine(root, "queue");
        MountSpace.Run("mount", "-t", "tmpfs", "tmpfs", root);
        using (var queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, Count, Large);
            SystemWorker.Drain(queue, 0, 5);
        }
        MountSpace.Run("mount", "-o", "remount,ro", root);
        RequireRefused(path);
        RequireRefused(Path.Combine(root, "new"));
        Read(path);
        MountSpace.Run("mount", "-o", "remount,rw", root);
        GoOn(path, 5, Count);
        MountSpace.Run("umount", root);
    }

    // Something read-only is mounted over the path: what is mapped may still be written.
    public static void Meanwhile(string root)
    {
        string path = Path.Combine(root, "queue");
        int count = 0;
        using (var queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, 3, Large);
            BindReadOnly(path);
            count = 3 + SystemWorker.FillUntilRefused(queue, 3, Large);
            RequireRefused(path);
            Read(path);
            SystemWorker.Drain(queue, 0, 2);
            MountSpace.Run("umount", path);
            SystemWorker.Fill(queue, count, Count, Large);
            SystemWorker.DrainAll(queue, 2, count + Count - 2);
        }
        GoOn(path, 0, 0);
    }

    // Refused as long as a file is open for writing that was opened through the new mount: where a
    // background thread makes a segment just then.
    private static void BindReadOnly(string path)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                MountSpace.Run("mount", "-o", "bind,ro", path, path);
                return;
            }
            catch (InvalidOperationException) when (attempt < Attempts)
            {
                MountSpace.Run("umount", "--lazy", path);
                Thread.Sleep(20);
            }
        }
    }

    // What a file system does that finds itself damaged: nothing that is written from then on comes to the disk, and the system says so.
    public static void ByError(string root)
    {
        var disk = SmallDisk.OfLoop(root, blockSize: 4096, kibibytes: 16 << 10);
        try
        {
            string path = Path.Combine(disk.MountPoint, "queue");
            using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
            SystemWorker.Fill(queue, 0, 3, Large);
            queue.Flush();
            MountSpace.Run("mount", "-o", "remount,errors=remount-ro", disk.MountPoint);
            string device = MountSpace.Run("findmnt", "-n", "-o", "SOURCE", disk.MountPoint).Trim();
            File.WriteAllText($"/sys/fs/ext4/{Path.GetFileName(device)}/trigger_fs_error", "a test\n");
            int count = 3 + SystemWorker.FillUntilRefused(queue, 3, Large);
            QueueException? said = SystemWorker.Try(() => queue.Enqueue(new Item().Fill(count, 10), Durability.Commit));
            SystemWorker.Require(said is not null, "a message is called durable on a file system that takes nothing");
            RequireRefused(path);
            Read(path);
            SystemWorker.Drain(queue, 0, count);
        }
        finally
        {
            disk.Dispose();
        }
    }

    private static void RequireRefused(string path)
    {
        QueueException? said = SystemWorker.Try(() => MappedQueue<Item>.Open(path, SystemWorker.Small).Dispose());
        SystemWorker.Require(
            said?.Message.Contains(path, StringComparison.Ordinal) == true,
            $"Open on a read-only file system says: {said?.Message ?? "nothing"}");
    }

    private static void Read(string path)
    {
        using var reader = QueueReader<Item>.Open(path);
        Item? item = null;
        SystemWorker.Require(reader.TryRead(ref item) && item!.Number == 0 && item.IsWhole, "a reader does not find the first message");
    }

    private static void GoOn(string path, long first, long end)
    {
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(queue, end, Count, Large);
        SystemWorker.DrainAll(queue, first, end + Count - first);
    }
}
