using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Leases for <c>await foreach</c>: what the loop's body does not commit is given back.</summary>
public sealed class ReceiveAllTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task What_the_body_commits_is_consumed_and_what_it_leaves_is_given_back_before_the_next()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        List<(long, int)> seen = [];
        await foreach (Lease<Note> lease in subscription.ReceiveAllAsync())
        {
            seen.Add((lease.Read().Id, lease.Attempt));
            if (lease.Attempt == 2 || seen.Count > 2)
            {
                lease.Commit();
            }
            if (seen.Count == 4)
            {
                break;
            }
        }
        Assert.Equal([(0, 1), (0, 2), (1, 1), (2, 1)], seen);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_leaves_the_loop_gives_the_message_back(bool throws)
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = queue.Subscribe("default");
        try
        {
            await foreach (Lease<Note> lease in queue.ReceiveAllAsync())
            {
                Assert.Equal(1, queue.GetStatus().Subscriptions[0].InFlight);
                if (throws)
                {
                    throw new FormatException();
                }
                break;
            }
        }
        catch (FormatException)
        {
        }
        Assert.Equal(0, queue.GetStatus().Subscriptions[0].InFlight);
        Receive(subscription, 0, 2).Commit();
        Receive(subscription, 1, 1).Commit();
    }

    [Fact]
    public async Task What_the_body_has_ended_otherwise_stays_so()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        int count = 0;
        await foreach (Lease<Note> lease in subscription.ReceiveAllAsync())
        {
            if (++count == 1)
            {
                lease.DeadLetter("no");
            }
            else if (count == 2)
            {
                lease.Abandon(TimeSpan.FromHours(1));
            }
            else
            {
                lease.Dispose();
                break;
            }
        }
        Assert.Equal(1, subscription.DeadLetters.Count);
        Receive(subscription, 2, 2).Commit();
        Assert.False(subscription.TryReceive(out _));
    }

    [Fact]
    public async Task It_waits_without_a_thread_ends_by_its_token_and_has_taken_nothing_then()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using var ending = new CancellationTokenSource();
        var taken = new SemaphoreSlim(0);
        long sum = 0;
        Task loop = Loop();
        async Task Loop()
        {
            await foreach (Lease<Note> lease in subscription.ReceiveAllAsync().WithCancellation(ending.Token))
            {
                sum += lease.Read().Id;
                lease.Commit();
                taken.Release();
            }
        }
        for (int id = 1; id <= 3; id++)
        {
            Assert.False(loop.IsCompleted);
            queue.Enqueue(Of(id));
            Assert.True(await taken.WaitAsync(Patience));
        }
        await ending.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => loop.WaitAsync(Patience));
        Assert.Equal(6, sum);
        queue.Enqueue(Of(4));
        Receive(subscription, 4, 1).Commit();
    }

    [Fact]
    public async Task A_disposed_queue_ends_it()
    {
        MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default");
        await Assert.ThrowsAsync<ObjectDisposedException>(async () =>
        {
            await foreach (Lease<Note> lease in subscription.ReceiveAllAsync())
            {
                queue.Dispose();
            }
        });
        using MappedQueue<Note> again = Open();
        using Subscription<Note> next = again.Subscribe("default");
        Receive(next, 0, 2).Commit();
    }

    [Fact]
    public async Task Lanes_give_the_most_urgent_first()
    {
        using var lanes = MappedLanes<Note>.Open(Path.Combine(Site.Root, "lanes"), 2, new QueueOptions { SegmentSize = 1 << 16 });
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        lanes.Enqueue(Of(1), lane: 1);
        lanes.Enqueue(Of(0), lane: 0);
        List<long> ids = [];
        await foreach (Lease<Note> lease in subscription.ReceiveAllAsync())
        {
            ids.Add(lease.Read().Id);
            lease.Commit();
            if (ids.Count == 2)
            {
                break;
            }
        }
        Assert.Equal([0, 1], ids);
    }
}
