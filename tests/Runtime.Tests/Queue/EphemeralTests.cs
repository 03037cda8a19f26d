using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Subscriptions that go with their last consumer.</summary>
public sealed class EphemeralTests : QueueFixture
{
    private static readonly SubscriptionOptions Ephemeral = new() { Ephemeral = true };

    [Fact]
    public void It_goes_when_its_last_consumer_is_disposed()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        Subscription<Note> first = queue.Subscribe("watch", Ephemeral), second = other.Subscribe("watch", Ephemeral),
            third = queue.Subscribe("watch", Ephemeral);
        Assert.Equal((2, true), (Watch(queue)!.Consumers, Watch(queue)!.Ephemeral));
        first.Dispose();
        second.Dispose();
        Assert.NotNull(Watch(queue));
        queue.Enqueue(Of(1));
        Note? note = null;
        Assert.True(third.TryDequeue(ref note));
        third.Dispose();
        Assert.Null(Watch(queue));
        Assert.False(File.Exists(Path.Combine(Site.Queue, "subscription-watch")));
        Assert.Equal(0, queue.GetStatus().ExpiredSubscriptions);
    }

    [Fact]
    public void It_goes_with_the_handle_of_its_last_consumer()
    {
        using MappedQueue<Note> queue = Open();
        using (MappedQueue<Note> other = Open())
        {
            other.Subscribe("watch", Ephemeral);
        }
        Assert.False(File.Exists(Path.Combine(Site.Queue, "subscription-watch")));
        Assert.Null(Watch(queue));
    }

    [Fact]
    public void Its_leases_end_with_it_and_who_comes_later_starts_anew()
    {
        using MappedQueue<Note> queue = Open();
        Subscription<Note> watch = queue.Subscribe("watch", Ephemeral);
        queue.Enqueue(Of(1));
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        Lease<Note> lease = Receive(watch, 1, 1);
        watch.Dispose();
        Assert.Throws<QueueException>(() => lease.Commit());
        using Subscription<Note> again = queue.Subscribe("watch", Ephemeral);
        Assert.False(again.TryDequeue(ref note));
        queue.Enqueue(Of(2));
        Assert.True(again.TryDequeue(ref note) && note!.Id == 2);
    }

    [Fact]
    public void The_same_name_is_not_both_and_default_stays()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> watch = queue.Subscribe("watch", Ephemeral), audit = queue.Subscribe("audit");
        Assert.Contains("'watch'", Assert.Throws<ArgumentException>(() => queue.Subscribe("watch")).Message, StringComparison.Ordinal);
        Assert.Contains(
            "'audit'", Assert.Throws<ArgumentException>(() => queue.Subscribe("audit", Ephemeral)).Message, StringComparison.Ordinal);
        string refused = Assert.Throws<ArgumentException>(() => queue.Subscribe("default", Ephemeral)).Message;
        Assert.Contains("'default'", refused, StringComparison.Ordinal);
        Assert.DoesNotContain("SubscriptionOptions.name", refused, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => queue.Subscribe("other", Ephemeral with { ExpiresAfter = TimeSpan.FromHours(1) }));
        Assert.Equal(["audit", "default", "watch"], queue.GetStatus().Subscriptions.Select(static one => one.Name));
    }

    [Fact]
    public void An_exclusive_one_goes_too()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        using (queue.Subscribe("watch", Ephemeral with { Exclusive = true }))
        {
            Assert.Throws<QueueException>(() => other.Subscribe("watch", Ephemeral));
            Assert.NotNull(Watch(queue));
        }
        Assert.Null(Watch(queue));
    }

    // The message that a transaction has received from it goes with it; the rest of the transaction is what it says it is.
    [Fact]
    public void A_transaction_that_received_from_it_says_that_it_has_ended()
    {
        using var store = MappedStore.Open(Path.Combine(Site.Root, "store"), new QueueOptions { SegmentSize = 1 << 16 });
        MappedQueue<Note> from = store.OpenQueue<Note>("from"), to = store.OpenQueue<Note>("to");
        Subscription<Note> watch = from.Subscribe("watch", Ephemeral);
        from.Enqueue(Of(1));
        Note? note = null;
        using QueueTransaction transaction = store.Begin();
        Assert.True(transaction.TryReceive(watch, ref note));
        transaction.Enqueue(to, note!);
        watch.Dispose();
        Assert.Null(Watch(from));
        Assert.ThrowsAny<Exception>(() => transaction.Commit());
        Assert.Equal(0, to.GetStatus().MessageCount);
        // And the store goes on.
        using QueueTransaction next = store.Begin();
        Assert.True(next.TryReceive(from, ref note));
        next.Enqueue(to, note!);
        next.Commit();
        Assert.Equal(1, to.GetStatus().MessageCount);
    }

    // The next one may come while the last one leaves: its subscription is the one that it found, or a new one, and it works.
    [Fact]
    public async Task One_that_comes_while_the_last_leaves_has_a_subscription()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        Task here = Task.Run(() => ComeAndGo(queue)), there = Task.Run(() => ComeAndGo(other));
        await Task.WhenAll(here, there);
        Assert.Null(Watch(queue));

        static void ComeAndGo(MappedQueue<Note> queue)
        {
            Note? note = null;
            for (int round = 0; round < 100; round++)
            {
                using Subscription<Note> watch = queue.Subscribe("watch", Ephemeral);
                queue.Enqueue(Of(round));
                // Each has enqueued one before it takes one. It may have to wait for one that the other is just enqueueing in front of it.
                Assert.True(
                    SpinWait.SpinUntil(() => watch.TryDequeue(ref note), TimeSpan.FromSeconds(30)), $"Nothing came in round {round}.");
            }
        }
    }

    private static SubscriptionStatus? Watch(MappedQueue<Note> queue)
        => queue.GetStatus().Subscriptions.SingleOrDefault(static one => one.Name == "watch");
}
