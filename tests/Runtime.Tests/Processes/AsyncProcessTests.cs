using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class AsyncProcessTests
{
    private static readonly TimeSpan Patience = Peer.Patience;

    [Fact]
    public async Task Messages_go_to_an_awaiting_process_and_back_once_and_in_order()
    {
        const int Count = 3000;
        using var site = new Site();
        // So little room that the producers wait for it.
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16, Capacity = 3000 });
        using (Peer consumer = Peer.Start(site, "consume-async").WaitFor("ready"))
        {
            var parcel = new Parcel();
            for (int number = 0; number < Count; number++)
            {
                await queue.EnqueueAsync(parcel.Fill(1, number, 200)).AsTask().WaitAsync(Patience);
            }
            consumer.Finish();
            string[] expected = [.. Enumerable.Range(0, Count).Select(static number => $"D 1 {number} 0")];
            Assert.Equal(expected, File.ReadAllLines(consumer.LogPath));
        }
        using var producer = Peer.Start(site, "produce-async", $"count={Count}", "size=100", "capacity=3000");
        long next = 0;
        using var patience = new CancellationTokenSource(Patience);
        await foreach (Parcel parcel in queue.ReadAllAsync(patience.Token))
        {
            Assert.True(parcel.IsIntact());
            Assert.Equal(next++, parcel.Number);
            if (next == Count)
            {
                break;
            }
        }
        Assert.Equal(0, producer.WaitForExit());
    }

    [Fact]
    public async Task No_wake_up_is_lost()
    {
        const int Count = 20_000;
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        // Nobody looks again by himself: a message whose wake-up is lost stays, and the test ends without it.
        WaitThread.LongestSleep = TimeSpan.FromHours(1);
        try
        {
            using Peer producer = Peer.Start(site, "pace", $"count={Count}").WaitFor("ready");
            Parcel? parcel = null;
            int waits = 0;
            for (long number = 0; number < Count; number++)
            {
                ValueTask<Parcel> taking = queue.DequeueAsync(parcel);
                waits += taking.IsCompleted ? 0 : 1;
                parcel = await taking.AsTask().WaitAsync(Patience);
                Assert.Equal(number, parcel.Number);
            }
            Assert.True(waits > Count / 100, $"Only {waits} calls had to wait.");
        }
        finally
        {
            WaitThread.LongestSleep = WaitThread.UsualSleep;
        }
    }

    [Fact]
    public async Task The_lease_of_a_killed_process_goes_to_who_awaits()
    {
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        queue.Enqueue(new Parcel().Fill(1, 1, 10));
        queue.Enqueue(new Parcel().Fill(1, 2, 10));
        using Peer holder = Peer.Start(site, "hold", "count=2").WaitFor("holding");
        Task<Lease<Parcel>> leasing = subscription.ReceiveAsync().AsTask();
        Task<Parcel> taking = queue.DequeueAsync().AsTask();
        await Task.Delay(200);
        Assert.False(leasing.IsCompleted || taking.IsCompleted, "The lease of a live process was taken from it.");
        holder.Kill();
        using Lease<Parcel> lease = await leasing.WaitAsync(Patience);
        Assert.Equal(2, lease.Attempt);
        Parcel? leased = null;
        lease.ReadInto(ref leased);
        lease.Commit();
        Assert.Equal([1, 2], new[] { leased!.Number, (await taking.WaitAsync(Patience)).Number }.Order());
    }

    [Fact]
    public async Task An_enqueue_that_meets_a_stopped_holder_of_the_append_lock_gives_its_thread_back_and_then_up()
    {
        using var site = new Site();
        using var survivor = new Survivor(site, new QueueOptions { SegmentSize = 1 << 16, StallTimeout = TimeSpan.FromSeconds(1) });
        using var stopped = Peer.StartToStop(site, ProtocolStep.AppendPacked, 5, "produce", "producer=1", "count=10");
        stopped.WaitForStop();
        Task giving = survivor.Queue.EnqueueAsync(new Parcel().Fill(2, 1, 10)).AsTask();
        Assert.False(giving.IsCompleted);
        QueueStalledException stalled = await Assert.ThrowsAsync<QueueStalledException>(() => giving.WaitAsync(Patience));
        Assert.Contains($"process {stopped.Id}", stalled.Message, StringComparison.Ordinal);
        using var cancellation = new CancellationTokenSource();
        Task cancelled = survivor.Queue.EnqueueAsync(new Parcel().Fill(2, 2, 10), cancellation.Token).AsTask();
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        Task waiting = survivor.Queue.EnqueueAsync(new Parcel().Fill(2, 3, 10)).AsTask();
        stopped.Continue();
        await waiting.WaitAsync(Patience);
        Assert.Equal(0, stopped.WaitForExit());
        List<long> numbers = [];
        Parcel? parcel = null;
        while (survivor.Queue.TryDequeue(ref parcel))
        {
            numbers.AddRange(parcel!.Producer == 2 ? [parcel.Number] : []);
        }
        Assert.Equal([3], numbers);
    }
}
