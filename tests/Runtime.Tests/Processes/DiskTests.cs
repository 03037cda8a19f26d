using System.Text;
using BlitQueue.Log;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>On a real file system whose device fails, or loses its power.</summary>
[Collection(ProcessCollection.Name)]
public sealed class DiskTests(ITestOutputHelper output) : IDisposable
{
    private static readonly QueueOptions Committing =
        new() { SegmentSize = 1 << 20, UseChecksums = true, Durability = Durability.Commit };

    private readonly Site _site = new();

    [DiskFact]
    public void What_was_acknowledged_is_there_when_a_disk_that_refused_is_mended()
    {
        using var disk = new LoopDisk(_site.Root, megabytes: 8);
        string path = Path.Combine(disk.MountPoint, "queue");
        long acknowledged = 0;
        using (var queue = MappedQueue<Parcel>.Open(path, Committing))
        {
            QueueFailedException failed = Assert.Throws<QueueFailedException>(() =>
            {
                for (; acknowledged < 2000; acknowledged++)
                {
                    queue.Enqueue(new Parcel().Fill(1, acknowledged, 20_000));
                }
            });
            output.WriteLine($"{acknowledged} messages, then: {failed.Message}");
            Assert.Contains("may take it", failed.Message, StringComparison.Ordinal);
            Assert.Contains("Nothing was enqueued", Assert.Throws<QueueFailedException>(
                () => queue.Enqueue(new Parcel().Fill(1, 0, 10))).Message, StringComparison.Ordinal);
            // The system takes the pages for written by now; the queue does not.
            Assert.Throws<QueueFailedException>(() => queue.Flush());
        }
        disk.Mend(megabytes: 64);
        PretendRestart(path);
        AssertContains(path, acknowledged);
    }

    [DiskFact]
    public void What_was_acknowledged_with_commit_is_there_after_a_power_cut()
    {
        using var disk = new LoopDisk(_site.Root, megabytes: 128);
        string path = Path.Combine(disk.MountPoint, "queue");
        long acknowledged = Produce(disk, path, Durability.Commit);
        PretendRestart(path);
        AssertContains(path, acknowledged);
    }

    // The first recovery seals the log and goes on behind it. Were the seal lost, the second would not find what was made durable there.
    [DiskFact]
    public void What_was_acknowledged_behind_a_recovery_s_seal_is_there_after_the_next_power_cut()
    {
        const int More = 20;
        using var disk = new LoopDisk(_site.Root, megabytes: 128);
        string path = Path.Combine(disk.MountPoint, "queue");
        long acknowledged = Produce(disk, path, Durability.Commit);
        Damage(Path.Combine(path, StoreFormat.SegmentName(1 << 20)), 500_000);
        PretendRestart(path);
        var queue = MappedQueue<Parcel>.Open(path, Committing);
        Assert.Equal(acknowledged - 1, queue.GetStatus().MessageCount);
        for (int number = 0; number < More; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, acknowledged + number, 100));
        }
        disk.CutPower(meanwhile: queue.Dispose);
        PretendRestart(path);
        AssertContains(path, acknowledged + More, holes: 1);
    }

    // Shows that the cut takes something: without a sync nothing of the messages is on the disk.
    [DiskFact]
    public void What_is_in_the_page_cache_alone_is_lost_by_a_power_cut()
    {
        using var disk = new LoopDisk(_site.Root, megabytes: 128);
        string path = Path.Combine(disk.MountPoint, "queue");
        long acknowledged = Produce(disk, path, Durability.PageCache);
        PretendRestart(path);
        using var queue = MappedQueue<Parcel>.Open(path, Committing);
        Assert.InRange(queue.GetStatus().MessageCount, 0, acknowledged - 1);
    }

    private static long Produce(LoopDisk disk, string path, Durability durability)
    {
        var queue = MappedQueue<Parcel>.Open(path, Committing with { Durability = durability });
        var random = new Random(5);
        long number = 0;
        for (; number < 300; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, random.Next(20_000)));
        }
        disk.CutPower(meanwhile: queue.Dispose);
        return number;
    }

    private static void AssertContains(string path, long count, int holes = 0)
    {
        using var queue = MappedQueue<Parcel>.Open(path, Committing);
        queue.Enqueue(new Parcel().Fill(2, 0, 10));
        Parcel? parcel = null;
        for (long number = 0; number < count; number++)
        {
            try
            {
                Assert.True(queue.TryDequeue(ref parcel), $"Parcel {number} of {count} is lost.");
            }
            catch (QueueCorruptException) when (holes-- > 0)
            {
                queue.SkipCorrupt();
                continue;
            }
            Assert.Equal((number, 1, true), (parcel!.Number, parcel.Producer, parcel.IsIntact()));
        }
    }

    private static void Damage(string file, long offset)
    {
        using FileStream segment = File.Open(file, FileMode.Open, FileAccess.ReadWrite);
        segment.Position = offset;
        segment.Write([0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE]);
        segment.Flush(flushToDisk: true);
    }

    private static void PretendRestart(string path)
    {
        using FileStream control = File.Open(
            Path.Combine(path, StoreFormat.ControlName), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        control.Position = ControlFormat.BootOffset;
        control.Write(Encoding.ASCII.GetBytes("another boot of this machine"));
    }

    public void Dispose() => _site.Dispose();
}
