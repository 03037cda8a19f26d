using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>What went wrong in MappedFileQueues 0.5 (the behaviour is quoted at each test) must not go wrong here.</summary>
public sealed class MappedFileQueuesDefects : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _site = new();

    /// <summary>"Two producers write the same slots: 20 produced, 10 received."</summary>
    [Fact]
    public void D01_messages_of_two_producers_all_arrive_once()
    {
        using var survivor = new Survivor(_site);
        Peer[] producers = [.. Enumerable.Range(1, 2)
            .Select(number => Peer.Start(_site, "produce", $"producer={number}", "count=3000", "size=100"))];
        foreach (Peer producer in producers)
        {
            Assert.Equal(0, producer.WaitForExit());
            survivor.History.ReadLog(producer.LogPath);
            producer.Dispose();
        }
        survivor.Drain();
        survivor.AssertNoFaults();
        Assert.Equal(6000, survivor.History.Deliveries);
    }

    /// <summary>"The marker is visible before the offset moves: 17 of 60 real kills lost exactly one message each."</summary>
    [Fact]
    public void D02_producers_killed_at_any_moment_lose_nothing_acknowledged_and_leave_no_gap()
    {
        using Survivor survivor = new Survivor(_site).WarmUp();
        var random = new Random(2);
        for (int kill = 1; kill <= 20; kill++)
        {
            using Peer producer = Peer.Start(_site, "produce", $"producer={kill}", "size=60").WaitFor("ready");
            Thread.Sleep(random.Next(30));
            producer.Kill();
            survivor.GoOn();
            producer.WaitForDeath();
            survivor.Drain();
            survivor.History.ReadLog(producer.LogPath).KilledProducer(kill, 1);
        }
        survivor.Drain();
        survivor.AssertNoFaults();
    }

    /// <summary>"Rolled back, old markers beyond the hole stay: only 1003 produced, got 1003, 4..9; then 1004, 1005 never."</summary>
    [Fact]
    public void D03_behind_a_hole_there_are_no_phantoms_and_nothing_is_skipped()
    {
        Fill(40);
        Overwrite(20_000, new byte[4096]);
        File.Delete(_site.File(StoreFormat.ControlName));
        using MappedQueue<Parcel> queue = Open();
        for (int number = 1000; number < 1100; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
        long[] before = DrainToHole(queue);
        Assert.True(queue.SkipCorrupt());
        long[] behind = Drain(queue);
        Assert.Equal(Numbers(0, before.Length), before);
        // All that the lost page did not touch.
        int left = behind.Count(static number => number < 1000);
        Assert.InRange(before.Length + left, 34, 38);
        Assert.Equal([.. Numbers(40 - left, left), .. Numbers(1000, 100)], behind);
    }

    /// <summary>
    /// "Deleting an old segment, as advised, makes the queue unopenable and truncates it:
    /// InvalidOperationException on every open, offset 25 -> 21."
    /// </summary>
    [Fact]
    public void D04_an_old_segment_that_was_deleted_by_hand_and_a_reset_consumer_harm_nothing()
    {
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue, Small with { RetainBytes = 1 << 20 }))
        {
            for (int number = 0; number < 300; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 1000));
            }
            Assert.Equal(150, queue.TryDequeue(new Parcel?[150]));
        }
        File.Delete(_site.File(StoreFormat.SegmentName(0)));
        QueuePosition end;
        using (MappedQueue<Parcel> queue = Open())
        {
            end = queue.GetStatus().Next;
            Assert.Equal(Numbers(150, 150), Drain(queue));
        }
        using MappedQueue<Parcel> again = Open();
        Assert.Equal(end, again.GetStatus().Next);
        using Subscription<Parcel> consumer = again.Subscribe("default");
        // Reset to what is gone: said when the next one is asked for, nothing is cut, and what is left comes.
        consumer.Seek(QueuePosition.Oldest);
        Assert.Empty(DrainToHole(again));
        Assert.True(again.SkipCorrupt());
        long[] rest = Drain(again);
        Assert.InRange(rest.Length, 150, 299);
        Assert.Equal(Numbers(300 - rest.Length, rest.Length), rest);
        Assert.Equal(end, again.GetStatus().Next);
        again.Enqueue(new Parcel().Fill(1, 300, 1000));
        Assert.Equal([300L], Drain(again));
    }

    /// <summary>"No header: a queue of 16-byte structs opened with 24-byte structs reads garbage silently."</summary>
    [Fact]
    public void D05_another_type_or_segment_size_is_a_typed_error()
    {
        Fill(3);
        Assert.Throws<SchemaMismatchException>(() => MappedQueue<Letter>.Open(_site.Queue));
        Assert.Contains("65536", Assert.Throws<ArgumentException>(
            () => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 17 })).Message);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.Equal(Numbers(0, 3), Drain(queue));
    }

    /// <summary>"Sparse file from ftruncate: a full disk is SIGBUS in the user's process, exit code 134."</summary>
    [TmpfsFact]
    public void D06_a_full_disk_is_an_exception_at_open_and_at_the_next_segment()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName;
        TmpfsFactAttribute.Mount(disk);
        try
        {
            Assert.Throws<QueueFullException>(
                () => MappedQueue<Parcel>.Open(Path.Combine(disk, "large"), new QueueOptions { SegmentSize = 1 << 21 }));
            using var queue = MappedQueue<Parcel>.Open(Path.Combine(disk, "small"), Small);
            int enqueued = 0;
            Assert.Throws<QueueFullException>(() =>
            {
                for (; enqueued < 10_000; enqueued++)
                {
                    queue.Enqueue(new Parcel().Fill(1, enqueued, 1000));
                }
            });
            Assert.Equal(Numbers(0, enqueued), Drain(queue));
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    /// <summary>"No CRC, and one record spans pages, so power loss can persist the marker only."</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void D07_a_message_of_which_a_page_was_lost_is_not_delivered(bool machineWentDown)
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 100));
            queue.Enqueue(new Parcel().Fill(1, 1, 12_000));
        }
        Overwrite(8192, new byte[4096]);
        if (machineWentDown)
        {
            File.Delete(_site.File(StoreFormat.ControlName));
        }
        using MappedQueue<Parcel> again = Open();
        Parcel? parcel = null;
        Assert.True(again.TryDequeue(ref parcel) && parcel!.IsIntact());
        Assert.Throws<QueueCorruptException>(() => again.TryDequeue(ref parcel));
        Assert.True(again.SkipCorrupt());
        again.Enqueue(new Parcel().Fill(1, 2, 12_000));
        Assert.Equal([2L], Drain(again));
    }

    /// <summary>"An fcntl lock is the process's: 4 threads held it at once, and closing any stream drops it."</summary>
    [Fact]
    public async Task D08_threads_that_open_at_once_make_one_queue_and_no_closing_drops_anothers_lock()
    {
        using var start = new Barrier(4);
        Task[] threads = [.. Enumerable.Range(1, 4).Select(producer => Task.Factory.StartNew(() =>
        {
            start.SignalAndWait();
            using MappedQueue<Parcel> queue = Open();
            queue.Enqueue(new Parcel().Fill(producer, 0, 10));
        }, TaskCreationOptions.LongRunning))];
        await Task.WhenAll(threads);
        using MappedQueue<Parcel> holder = Open(), other = Open();
        using Subscription<Parcel> consumer = holder.Subscribe("default"), rival = other.Subscribe("default");
        Assert.True(consumer.TryReceive(out Lease<Parcel> lease));
        for (int i = 0; i < 5; i++)
        {
            Open().Dispose();
            Assert.Throws<SchemaMismatchException>(() => MappedQueue<Letter>.Open(_site.Queue));
        }
        Assert.Equal(3, Drain(other).Length);
        Assert.False(rival.TryReceive(out _), "The lease was taken from a handle that is open.");
        lease.Commit();
    }

    /// <summary>
    /// "Commit three times after one Consume skips two messages; SegmentSize below a record: DivideByZero at the first Produce."
    /// </summary>
    [Fact]
    public void D09_a_second_commit_and_a_segment_that_is_too_small_are_refused_and_skip_nothing()
    {
        Assert.Contains("SegmentSize", Assert.Throws<ArgumentException>(
            () => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 16 })).Message);
        Fill(4);
        using MappedQueue<Parcel> queue = Open();
        using Subscription<Parcel> consumer = queue.Subscribe("default");
        Assert.True(consumer.TryReceive(out Lease<Parcel> lease));
        lease.Commit();
        Assert.Throws<InvalidOperationException>(lease.Commit);
        Assert.Throws<InvalidOperationException>(lease.Commit);
        Assert.Equal(Numbers(1, 3), Drain(queue));
        // Larger than a segment.
        queue.Enqueue(new Parcel().Fill(1, 4, 200_000));
        Assert.Equal([4L], Drain(queue));
    }

    /// <summary>"stackalloc of up to 16 MiB, length taken from the file: a 16 MB message kills the process by stack overflow."</summary>
    [Fact]
    public void D10_a_large_message_needs_no_stack_and_a_damaged_length_is_an_exception()
    {
        const int Length = 16_000_000;
        bool intact = false;
        var thread = new Thread(
            () =>
            {
                using MappedQueue<Parcel> queue = Open();
                queue.Enqueue(new Parcel().Fill(1, 0, Length));
                Parcel? parcel = null;
                intact = queue.TryDequeue(ref parcel) && parcel!.Length == Length && parcel.IsIntact();
                queue.Purge();
            },
            maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.True(intact);
        Directory.Delete(_site.Queue, recursive: true);
        Fill(2);
        // The header's low 28 bits are the length: now nearly 256 MiB.
        Overwrite(SegmentFormat.PageSize, [0xF0, 0xFF, 0xFF, 0x1F]);
        using MappedQueue<Parcel> damaged = Open();
        Parcel? none = null;
        Assert.Throws<QueueCorruptException>(() => damaged.TryDequeue(ref none));
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    private void Fill(int count)
    {
        using MappedQueue<Parcel> queue = Open();
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
    }

    private void Overwrite(long offset, byte[] bytes)
    {
        using FileStream file = File.Open(_site.File(StoreFormat.SegmentName(0)), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        file.Position = offset;
        file.Write(bytes);
    }

    private static long[] Numbers(int first, int count) => [.. Enumerable.Range(first, count).Select(static number => (long)number)];

    private static long[] Drain(MappedQueue<Parcel> queue)
    {
        List<long> numbers = [];
        Parcel? parcel = null;
        while (queue.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            numbers.Add(parcel.Number);
        }
        return [.. numbers];
    }

    private static long[] DrainToHole(MappedQueue<Parcel> queue)
    {
        List<long> numbers = [];
        Parcel? parcel = null;
        Assert.Throws<QueueCorruptException>(() =>
        {
            while (queue.TryDequeue(ref parcel))
            {
                numbers.Add(parcel!.Number);
            }
        });
        return [.. numbers];
    }

    public void Dispose() => _site.Dispose();
}
