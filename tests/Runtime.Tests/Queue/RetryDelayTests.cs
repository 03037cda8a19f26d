using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class RetryDelayTests : QueueFixture
{
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(400);

    [Fact]
    public void A_message_given_back_for_later_comes_after_the_delay_and_others_meanwhile()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Receive(subscription, 0, 1).Abandon(Delay);
        long abandoned = Environment.TickCount64;
        Note? note = null;
        Assert.True(subscription.TryPeek(ref note));
        Assert.Equal(1, note!.Id);
        Receive(subscription, 1, 1).Commit();
        Receive(subscription, 2, 1).Commit();
        Assert.False(subscription.TryReceive(out _));
        Assert.False(subscription.TryPeek(ref note));
        Assert.Equal(1, queue.GetStatus().Subscriptions[0].Lag);
        subscription.Dequeue(ref note);
        Assert.True(Environment.TickCount64 - abandoned >= Delay.TotalMilliseconds);
        Assert.Equal(0, note!.Id);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public async Task Who_waits_asynchronously_gets_it_after_the_delay()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Receive(subscription, 0, 1).Abandon(Delay);
        long abandoned = Environment.TickCount64;
        using Lease<Note> lease = await subscription.ReceiveAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30));
        Assert.True(Environment.TickCount64 - abandoned >= Delay.TotalMilliseconds);
        Assert.Equal(2, lease.Attempt);
    }

    [Fact]
    public void The_subscriptions_delay_is_that_of_abandon_and_dispose()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { RetryDelay = TimeSpan.FromHours(1) });
        Receive(subscription, 0, 1).Abandon();
        Receive(subscription, 1, 1).Dispose();
        Receive(subscription, 2, 1).Abandon(TimeSpan.Zero);
        Receive(subscription, 2, 2).Commit();
        Assert.False(subscription.TryReceive(out _));
    }

    [Fact]
    public void The_delay_stays_if_the_lease_is_ended_again()
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = queue.Subscribe("default");
        using (Lease<Note> lease = Receive(subscription, 0, 1))
        {
            lease.Abandon(TimeSpan.FromHours(1));
        }
        Lease<Note> other = Receive(subscription, 1, 1);
        other.Abandon(TimeSpan.FromHours(1));
        Assert.Throws<InvalidOperationException>(other.Abandon);
        Assert.False(subscription.TryReceive(out _));
    }

    [Fact]
    public void Each_message_has_its_own_delay()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var leases = new Lease<Note>[3];
        subscription.TryReceive(leases);
        leases[0].Abandon(TimeSpan.FromHours(1));
        leases[1].Abandon(Delay);
        leases[2].Abandon();
        Receive(subscription, 2, 2).Commit();
        Assert.False(subscription.TryReceive(out _));
        using Lease<Note> second = subscription.Receive();
        Assert.Equal(leases[1].Position, second.Position);
        second.Commit();
        Assert.False(subscription.TryReceive(out _));
        Assert.Equal(1, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void A_delayed_message_is_purged_and_dropped_like_any_other()
    {
        using (MappedQueue<Note> queue = Filled(1))
        {
            using Subscription<Note> subscription = queue.Subscribe("default");
            Receive(subscription, 0, 1).Abandon(TimeSpan.FromHours(1));
            queue.Purge();
            Assert.Equal(0, queue.GetStatus().MessageCount);
        }
        using MappedQueue<Note> small = Open(new QueueOptions { Capacity = 10_000, FullMode = FullMode.DropOldest });
        using Subscription<Note> dropped = small.Subscribe("default");
        small.Enqueue(Of(0, 1000));
        Receive(dropped, 0, 1).Abandon(TimeSpan.FromHours(1));
        for (int id = 1; id < 30; id++)
        {
            small.Enqueue(Of(id, 1000));
        }
        Assert.True(dropped.Dropped > 10);
        Assert.Equal(29, Drain(small)[^1]);
        Assert.Equal(0, small.GetStatus().MessageCount);
    }

    // What is looked at by a producer that drops, and may stay, keeps its delay.
    [Fact]
    public void A_delayed_message_that_is_not_dropped_stays_delayed()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { Capacity = 10_000, FullMode = FullMode.DropOldest });
        using Subscription<Note> subscription = queue.Subscribe("default");
        using Subscription<Note> lagging = queue.Subscribe("lagging");
        for (int id = 0; id < 9; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        for (int id = 0; id < 8; id++)
        {
            Receive(subscription, id, 1).Commit();
        }
        Receive(subscription, 8, 1).Abandon(TimeSpan.FromHours(1));
        queue.Enqueue(Of(9, 1000));
        Assert.True(lagging.Dropped > 0);
        Receive(subscription, 9, 1).Commit();
        Assert.False(subscription.TryReceive(out _));
        Assert.Equal(0, subscription.Dropped);
    }

    [Fact]
    public void The_delay_outlasts_the_handle_but_not_the_machine()
    {
        using (MappedQueue<Note> queue = Filled(2))
        {
            using Subscription<Note> subscription = queue.Subscribe("default");
            Receive(subscription, 0, 1).Abandon(TimeSpan.FromHours(1));
        }
        using (MappedQueue<Note> queue = Open())
        {
            using Subscription<Note> subscription = queue.Subscribe("default");
            Receive(subscription, 1, 1).Commit();
            Assert.False(subscription.TryReceive(out _));
        }
        // Without its words the queue is rebuilt as after a restart of the machine, which counts time anew.
        File.Delete(Site.File("queue.control"));
        using MappedQueue<Note> again = Open();
        using Subscription<Note> late = again.Subscribe("default");
        Receive(late, 0, 2).Commit();
    }

    [Fact]
    public void Delays_below_zero_are_refused()
    {
        using MappedQueue<Note> queue = Filled(1);
        Assert.Contains("RetryDelay", Assert.Throws<ArgumentException>(
            () => queue.Subscribe("default", new SubscriptionOptions { RetryDelay = TimeSpan.FromTicks(-1) })).Message);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Lease<Note> lease = Receive(subscription, 0, 1);
        Assert.Throws<ArgumentOutOfRangeException>(() => lease.Abandon(Timeout.InfiniteTimeSpan));
        lease.Commit();
    }
}
