using BlitQueue.Log;
using BlitQueue.Platform;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>How many threads wait. Alone in the process, because they count its threads.</summary>
[Collection(ProcessCollection.Name)]
public sealed class WaitThreadTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_hundred_subscriptions_of_one_queue_wait_on_one_thread_which_ends_when_nobody_waits()
    {
        AssertThreads(0);
        using var site = new Site();
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        Subscription<Parcel>[] subscriptions = [.. Enumerable.Range(0, 100).Select(_ => queue.Subscribe("default"))];
        Task<Parcel>[] waiting = [.. subscriptions.Select(static subscription => subscription.DequeueAsync().AsTask())];
        AssertThreads(1);
        Assert.DoesNotContain(waiting, static task => task.IsCompleted);
        for (int number = 0; number < 100; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 10));
        }
        Parcel[] parcels = await Task.WhenAll(waiting).WaitAsync(Patience);
        Assert.Equal(
            Enumerable.Range(0, 100).Select(static number => (long)number), parcels.Select(static parcel => parcel.Number).Order());
        AssertThreads(0);
    }

    [Theory]
    [InlineData(60)]
    [InlineData(100)]
    [InlineData(130)]
    [InlineData(400)]
    public async Task Many_queues_wait_on_one_thread_for_as_many_as_the_system_permits_and_no_more_than_three(int count)
    {
        // One word is the thread's own.
        int each = CurrentPlatform.Instance.MostWords - 1, threads = Math.Min(3, (count + each - 1) / each);
        AssertThreads(0);
        await Wait(count, () => AssertThreads(threads));
        AssertThreads(0);
    }

    [Fact]
    public async Task What_is_swept_is_woken_again_and_again()
    {
        await Wait(300, static () => { }, rounds: 3);
        AssertThreads(0);
    }

    [Fact]
    public async Task Thousands_of_waits_are_cancelled_and_disposed_at_once()
    {
        using var site = new Site(inMemory: true);
        MappedQueue<Parcel>[] queues = OpenQueues(site, 300);
        using var cancellation = new CancellationTokenSource();
        Task<Parcel>[] cancelled = [.. Waits(cancellation.Token)], ended = [.. Waits(default)];
        await cancellation.CancelAsync();
        await Task.WhenAll(
            cancelled.Select(static task => Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.WaitAsync(Patience))));
        // Whoever gave up has taken nothing.
        queues[299].Enqueue(new Parcel().Fill(1, 7, 10));
        Task<Parcel>[] served = [.. ended.Skip(299 * 10)];
        Assert.Equal(7, (await (await Task.WhenAny(served).WaitAsync(Patience))).Number);
        Array.ForEach(queues, static queue => queue.Dispose());
        await Task.WhenAll(ended.Where(static task => !task.IsCompletedSuccessfully)
            .Select(static task => Assert.ThrowsAsync<ObjectDisposedException>(() => task.WaitAsync(Patience))));
        AssertThreads(0);

        IEnumerable<Task<Parcel>> Waits(CancellationToken ct) =>
            queues.SelectMany(queue => Enumerable.Range(0, 10).Select(_ => queue.DequeueAsync(cancellationToken: ct).AsTask()));
    }

    // Nobody wakes them: the message is found by a look.
    [Theory]
    [InlineData(0)]
    [InlineData(299)]
    public async Task A_message_whose_producer_was_killed_before_it_woke_anybody_is_found(int index)
    {
        using var site = new Site(inMemory: true);
        MappedQueue<Parcel>[] queues = OpenQueues(site, 300, index);
        try
        {
            Task<Parcel>[] waiting = [.. queues.Select(static queue => queue.DequeueAsync().AsTask())];
            using var peer = Peer.StartToDie(site, ProtocolStep.AppendLockReleased, 1, "produce", "producer=1", "count=1");
            peer.WaitForDeath();
            Assert.Equal(1, (await waiting[index].WaitAsync(Patience)).Producer);
        }
        finally
        {
            Array.ForEach(queues, static queue => queue.Dispose());
        }
        AssertThreads(0);
    }

    [Fact]
    public async Task Waiting_works_on_a_kernel_that_cannot_sleep_on_several_words()
    {
        AssertThreads(0);
        WaitThread.Platform = new LinuxPlatform(waitsOnMany: false);
        try
        {
            await Wait(5, static () => AssertThreads(1));
        }
        finally
        {
            WaitThread.Platform = CurrentPlatform.Instance;
        }
    }

    // Each of the queues is waited on; then each gets a message, the last one first.
    private static async Task Wait(int count, Action whileWaiting, int rounds = 1)
    {
        using var site = new Site(inMemory: true);
        MappedQueue<Parcel>[] queues = OpenQueues(site, count);
        try
        {
            for (int round = 0; round < rounds; round++)
            {
                Task<Parcel>[] waiting = [.. queues.Select(static queue => queue.DequeueAsync().AsTask())];
                whileWaiting();
                Assert.DoesNotContain(waiting, static task => task.IsCompleted);
                for (int index = count - 1; index >= 0; index--)
                {
                    queues[index].Enqueue(new Parcel().Fill(1, index, 10));
                    Assert.Equal(index, (await waiting[index].WaitAsync(Patience)).Number);
                }
            }
        }
        finally
        {
            Array.ForEach(queues, static queue => queue.Dispose());
        }
    }

    // One of them may be that of the other processes.
    private static MappedQueue<Parcel>[] OpenQueues(Site site, int count, int shared = -1)
        => [.. Enumerable.Range(0, count).Select(index => MappedQueue<Parcel>.Open(
        index == shared ? site.Queue : Path.Combine(site.Root, $"{index}"), new QueueOptions { SegmentSize = 1 << 16 }))];

    private static void AssertThreads(int expected)
    {
        Assert.True(SpinWait.SpinUntil(() => Threads() == expected, Patience), $"{Threads()} threads wait, not {expected}.");
    }

    private static int Threads() => OwnProcess.Threads(WaitThread.Name);
}
