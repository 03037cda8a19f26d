using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>The blocks of a queue's first segment are reserved in steps: a queue with few messages takes little of the disk.</summary>
[Collection(ProcessCollection.Name)]
public sealed class FirstSegmentTests : IDisposable
{
    private const long MiB = 1 << 20;

    private readonly Site _disk = new(), _memory = new(inMemory: true);
    private string? _mounted;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_new_queue_takes_two_mebibytes_at_most_and_more_with_its_messages(bool inMemory)
    {
        string path = (inMemory ? _memory : _disk).Queue;
        using var queue = MappedQueue<Parcel>.Open(path);
        queue.Enqueue(new Parcel().Fill(1, 0, 1000));
        Assert.InRange(BytesOf(path), 1, 2 * MiB);
        Fill(queue, 1, 3000, 1000);
        Assert.True(BytesOf(path) >= 3 * MiB);
        Drain(queue, 3000);
    }

    /// <summary>Each is opened with a name alone, and used once.</summary>
    [Fact]
    public async Task Nor_does_an_express_queue_a_store_lanes_dead_letters_or_a_channel_of_calls()
    {
        string name = $"first-{Guid.NewGuid():N}";
        using (var express = MappedQueue<Parcel>.OpenExpress(name))
        {
            express.Enqueue(new Parcel().Fill(1, 0, 1000));
            Assert.InRange(BytesOf(express.Path), 1, 2 * MiB);
        }
        Assert.True(MappedQueue<Parcel>.DeleteExpress(name));

        using var store = MappedStore.Open(Path.Combine(_disk.Root, "store"));
        store.OpenQueue<Parcel>("parcels").Enqueue(new Parcel().Fill(1, 0, 1000));
        Assert.InRange(BytesOf(Path.Combine(_disk.Root, "store")), 1, 2 * MiB);

        using var lanes = MappedLanes<Parcel>.Open(Path.Combine(_disk.Root, "lanes"), lanes: 1);
        lanes.Enqueue(new Parcel().Fill(1, 0, 1000), lane: 0);
        Assert.InRange(BytesOf(Path.Combine(_disk.Root, "lanes")), 1, 2 * MiB);

        using var queue = MappedQueue<Parcel>.Open(_disk.Queue);
        queue.Enqueue(new Parcel().Fill(1, 0, 1000));
        long before = BytesOf(_disk.Queue);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("no");
        Assert.InRange(BytesOf(_disk.Queue) - before, 1, 2 * MiB);

        string channel = Path.Combine(_memory.Root, "calls");
        using var server = RpcServer<Parcel, Parcel>.OpenFile(channel);
        using var client = RpcClient<Parcel, Parcel>.OpenFile(channel);
        using var ending = new CancellationTokenSource();
        var serving = Task.Run(() => server.Serve(static parcel => parcel, ending.Token));
        Assert.Equal(7, client.Call(new Parcel().Fill(1, 7, 1000)).Number);
        await ending.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => serving);
        Assert.InRange(BytesOf(_memory.Root), 1, 2 * MiB);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void More_is_reserved_before_an_append_needs_it(bool inMemory)
    {
        string path = (inMemory ? _memory : _disk).Queue;
        using var queue = MappedQueue<Parcel>.Open(path);
        Fill(queue, 0, 400, 1000);
        Assert.InRange(BytesOf(path), 1, 2 * MiB);
        Fill(queue, 400, 700, 1000);
        Assert.True(SpinWait.SpinUntil(() => BytesOf(path) >= 3 * MiB, TimeSpan.FromSeconds(20)));
        Drain(queue, 700);
    }

    [Fact]
    public void A_queue_that_is_closed_while_more_is_reserved_is_whole()
    {
        for (int number = 0; number < 50; number++)
        {
            using var queue = MappedQueue<Parcel>.Open(_memory.Queue + number);
            Fill(queue, 0, 1, 600_000);
        }
    }

    [Fact]
    public void Every_way_of_enqueuing_goes_on_where_the_reserved_part_ends()
    {
        using var ticks = MappedQueue<Tick>.Open(Path.Combine(_memory.Root, "ticks"));
        using var batches = MappedQueue<Tick>.Open(Path.Combine(_memory.Root, "batches"));
        using var store = MappedStore.Open(Path.Combine(_disk.Root, "store"));
        MappedQueue<Parcel> committed = store.OpenQueue<Parcel>("parcels");
        const int count = 100_000, several = 7, transactions = 40;
        var pieces = new Tick[several];
        for (int id = 0; id < count; id++)
        {
            ticks.Enqueue(new Tick { Id = id });
            pieces[id % several] = new Tick { Id = id };
            if (id % several == several - 1)
            {
                batches.EnqueueBatch(pieces);
            }
        }
        for (int number = 0; number < transactions; number++)
        {
            using QueueTransaction transaction = store.Begin();
            transaction.Enqueue(committed, new Parcel().Fill(1, number, 200_000));
            transaction.Commit();
        }
        AssertInOrder(ticks, count);
        AssertInOrder(batches, count / several * several);
        Drain(committed, transactions);
    }

    [Theory]
    [InlineData(5_000_000)]
    [InlineData(70_000_000)]
    public void A_message_longer_than_the_reserved_part_fits(int length)
    {
        using var queue = MappedQueue<Parcel>.Open(_disk.Queue);
        queue.Enqueue(new Parcel().Fill(1, 0, 100));
        queue.Enqueue(new Parcel().Fill(1, 1, length));
        queue.Enqueue(new Parcel().Fill(1, 2, 100));
        Drain(queue, 3);
    }

    [Fact]
    public void Two_handles_take_turns_across_the_ends_of_the_steps()
    {
        using var left = MappedQueue<Parcel>.Open(_disk.Queue);
        using var right = MappedQueue<Parcel>.Open(_disk.Queue);
        for (int number = 0; number < 6000; number++)
        {
            (number % 3 == 0 ? left : right).Enqueue(new Parcel().Fill(1, number, 1000));
        }
        Drain(left, 6000);
    }

    [TmpfsFact]
    public void A_full_disk_is_an_exception_and_nothing_ends_the_process()
    {
        string path = Mount("size=4m");
        using var queue = MappedQueue<Parcel>.Open(path);
        int enqueued = 0;
        Assert.Throws<QueueFullException>(() =>
        {
            for (; enqueued < 100_000; enqueued++)
            {
                queue.Enqueue(new Parcel().Fill(1, enqueued, 1000));
            }
        });
        Assert.True(enqueued > 2000, $"The disk was full after {enqueued} messages.");
        Drain(queue, enqueued);
        Assert.False(queue.TryEnqueue(new Parcel().Fill(1, enqueued, 100_000)));
    }

    [TmpfsFact]
    public void After_a_restart_the_log_goes_on_and_where_there_is_no_room_for_that_the_opening_says_so()
    {
        string path = Mount("size=4m");
        using (var queue = MappedQueue<Parcel>.Open(path))
        {
            Fill(queue, 0, 100, 1000);
        }
        using (FileStream control = File.OpenWrite(Path.Combine(path, StoreFormat.ControlName)))
        {
            control.Position = ControlFormat.BootOffset;
            control.Write("another boot of this machine        "u8);
        }
        QueueFullException full = Assert.Throws<QueueFullException>(() => MappedQueue<Parcel>.Open(path));
        Assert.Contains("no room to recover", full.Message, StringComparison.Ordinal);
        TmpfsFactAttribute.Mount(_mounted!, "remount,size=200m");
        using var opened = MappedQueue<Parcel>.Open(path);
        Fill(opened, 100, 3000, 1000);
        Drain(opened, 3000);
    }

    [DiskFact]
    public void After_a_restart_with_a_full_disk_what_there_is_can_be_consumed()
    {
        using var disk = new LoopDisk(_disk.Root, megabytes: 80);
        string path = Path.Combine(disk.MountPoint, "queue");
        using (var queue = MappedQueue<Parcel>.Open(path))
        {
            Fill(queue, 0, 1500, 1000);
        }
        using (FileStream control = File.OpenWrite(Path.Combine(path, StoreFormat.ControlName)))
        {
            control.Position = ControlFormat.BootOffset;
            control.Write("another boot of this machine        "u8);
        }
        Site.FillDisk(disk.MountPoint, leave: 3 << 20);
        using var opened = MappedQueue<Parcel>.Open(path);
        Assert.False(opened.TryEnqueue(new Parcel().Fill(1, 0, 1000)));
        Drain(opened, 1500);
    }

    private static void Fill(MappedQueue<Parcel> queue, int from, int to, int length)
    {
        for (int number = from; number < to; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, length));
        }
    }

    private static void Drain(MappedQueue<Parcel> queue, int count)
    {
        Parcel? parcel = null;
        for (int number = 0; number < count; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel));
            Assert.True(parcel!.IsIntact());
            Assert.Equal(number, parcel.Number);
        }
        Assert.False(queue.TryDequeue(ref parcel));
    }

    private static void AssertInOrder(MappedQueue<Tick> queue, int count)
    {
        Tick? tick = null;
        for (int id = 0; id < count; id++)
        {
            Assert.True(queue.TryDequeue(ref tick));
            Assert.Equal(id, tick!.Id);
        }
        Assert.False(queue.TryDequeue(ref tick));
    }

    // What the files take of the disk, and not their lengths.
    internal static long BytesOf(string directory)
    {
        using Process du = Process.Start(new ProcessStartInfo("du", ["-s", "-B1", directory]) { RedirectStandardOutput = true })!;
        return long.Parse(du.StandardOutput.ReadToEnd().Split('\t')[0], System.Globalization.CultureInfo.InvariantCulture);
    }

    private string Mount(string options)
    {
        _mounted = Directory.CreateDirectory(Path.Combine(_disk.Root, "mounted")).FullName;
        TmpfsFactAttribute.Mount(_mounted, options);
        return Path.Combine(_mounted, "queue");
    }

    public void Dispose()
    {
        if (_mounted is not null)
        {
            TmpfsFactAttribute.Unmount(_mounted);
        }
        _disk.Dispose();
        _memory.Dispose();
    }
}
