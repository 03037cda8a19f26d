using System.Runtime.CompilerServices;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Waits that end without what they waited for.</summary>
public sealed class AsyncEndTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_cancelled_call_takes_nothing()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using var cancellation = new CancellationTokenSource();
        Task[] waiting =
        [
            queue.DequeueAsync(cancellationToken: cancellation.Token).AsTask(),
            subscription.ReceiveAsync(cancellation.Token).AsTask(),
        ];
        Assert.DoesNotContain(waiting, static task => task.IsCompleted);
        cancellation.Cancel();
        foreach (Task task in waiting)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.WaitAsync(Patience));
        }
        queue.Enqueue(Of(1));
        Assert.True(queue.DequeueAsync(cancellationToken: cancellation.Token).IsCanceled);
        Assert.True(subscription.ReceiveAsync(cancellation.Token).IsCanceled);
        Assert.Equal([1], Drain(queue));
    }

    [Fact]
    public async Task Cancellations_that_race_with_messages_lose_none_and_take_none_twice()
    {
        using MappedQueue<Note> queue = Open();
        int[] seen = new int[500];
        int cancelled = 0, lead = 0;
        for (int id = 0; id < seen.Length; id++)
        {
            // The one that came first starts later in the next round: the rounds stay where the two meet,
            // however fast the machine starts a thread.
            int head = lead;
            using var cancellation = new CancellationTokenSource();
            Task<Note> waiting = queue.DequeueAsync(cancellationToken: cancellation.Token).AsTask();
            using var start = new Barrier(2);
            var sending = Task.Run(() =>
            {
                start.SignalAndWait();
                Thread.SpinWait(Math.Max(0, head));
                queue.Enqueue(Of(id));
            });
            start.SignalAndWait();
            Thread.SpinWait(Math.Max(0, -head));
            cancellation.Cancel();
            try
            {
                seen[(await waiting.WaitAsync(Patience)).Id]++;
                lead += 500;
            }
            catch (OperationCanceledException)
            {
                cancelled++;
                lead -= 500;
            }
            await sending;
            // What a cancelled call left is the next one's.
            Array.ForEach(Drain(queue), left => seen[left]++);
        }
        Assert.All(seen, static times => Assert.Equal(1, times));
        Assert.True(
            cancelled > 0 && cancelled < seen.Length, $"{cancelled} of {seen.Length} cancellations came first: no race was tested.");
    }

    [Fact]
    public async Task Waiting_calls_end_when_the_queue_is_disposed_and_everything_is_given_back()
    {
        MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 1000 });
        Subscription<Note> subscription = queue.Subscribe("default");
        Task[] readers =
        [
            queue.DequeueAsync().AsTask(), subscription.ReceiveAsync().AsTask(),
            queue.ReadAllAsync().GetAsyncEnumerator().MoveNextAsync().AsTask(),
            queue.AsChannelReader().WaitToReadAsync().AsTask(), queue.AsChannelReader().ReadAsync().AsTask(),
        ];
        await AssertDisposed(queue, readers);

        queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 1000 });
        queue.Enqueue(Of(1, 900));
        Assert.False(queue.AsChannelWriter().TryWrite(Of(2, 900)));
        await AssertDisposed(queue, queue.EnqueueAsync(Of(2, 900)).AsTask(), queue.AsChannelWriter().WriteAsync(Of(3, 900)).AsTask());
        AssertNothingOpen();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.EnqueueAsync(Of(1)).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.DequeueAsync().AsTask());
    }

    [Fact]
    public async Task A_disposed_subscription_ends_its_own_waits_alone()
    {
        using MappedQueue<Note> queue = Open();
        Subscription<Note> ending = queue.Subscribe("default");
        Task<Note> ended = ending.DequeueAsync().AsTask(), going = queue.DequeueAsync().AsTask();
        ending.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ended.WaitAsync(Patience));
        Assert.False(going.IsCompleted);
        queue.Enqueue(Of(1));
        Assert.Equal(1, (await going.WaitAsync(Patience)).Id);
    }

    [Fact]
    public async Task A_queue_disposed_under_asynchronous_load_gives_everything_back()
    {
        MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 10_000 });
        Task[] tasks = [.. Enumerable.Range(0, 6).Select(index => Task.Run(async () =>
        {
            for (int id = 0; ; id++)
            {
                if (index % 2 == 0)
                {
                    await queue.EnqueueAsync(Of(id, 500));
                }
                else
                {
                    await queue.DequeueAsync();
                }
            }
        }))];
        await Task.Delay(200);
        queue.Dispose();
        foreach (Task task in tasks)
        {
            await Assert.ThrowsAsync<ObjectDisposedException>(() => task.WaitAsync(Patience));
        }
        AssertNothingOpen();
    }

    [Fact]
    public void Nothing_is_left_of_a_cancelled_wait()
    {
        using MappedQueue<Note> queue = Open();
        using var longLived = new CancellationTokenSource();
        WeakReference reuse = WaitAndCancel(queue, longLived.Token);
        for (int attempt = 0; reuse.IsAlive && attempt < 50; attempt++)
        {
            // The canceller's last steps may still have it on a stack. Other tests count allocations,
            // which collecting all the time disturbs.
            Thread.Sleep(20);
            GC.Collect();
        }
        Assert.False(reuse.IsAlive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference WaitAndCancel(MappedQueue<Note> queue, CancellationToken longLived)
    {
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(longLived);
        var reuse = new Note();
        Task waiting = queue.DequeueAsync(reuse, cancellation.Token).AsTask();
        Assert.False(waiting.IsCompleted);
        cancellation.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => waiting.WaitAsync(Patience).GetAwaiter().GetResult());
        return new WeakReference(reuse);
    }

    private static async Task AssertDisposed(MappedQueue<Note> queue, params Task[] waiting)
    {
        await Task.Delay(20);
        Assert.DoesNotContain(waiting, static task => task.IsCompleted);
        queue.Dispose();
        foreach (Task task in waiting)
        {
            await Assert.ThrowsAsync<ObjectDisposedException>(() => task.WaitAsync(Patience));
        }
    }
}
