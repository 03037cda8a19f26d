using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>One consumer with as many leases as it likes.</summary>
public sealed class SingleConsumerTests : QueueFixture
{
    private static readonly SubscriptionOptions Single = new() { SingleConsumer = true };

    [Fact]
    public void It_has_many_leases_and_what_is_given_back_comes_before_what_is_not_leased()
    {
        using MappedQueue<Note> queue = Filled(6);
        using Subscription<Note> subscription = queue.Subscribe("default", Single);
        var leases = new Lease<Note>[4];
        Assert.Equal(4, subscription.TryReceive(leases));
        leases[1].Abandon();
        leases[3].Commit();
        Receive(subscription, 1, 2).Commit();
        Receive(subscription, 4, 1).Commit();
        Note? note = null;
        Assert.True(subscription.TryDequeue(ref note));
        Assert.Equal(5, note!.Id);
        leases[2].Commit();
        leases[0].Commit();
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    /// <summary>So a message never comes behind later ones, also where an earlier consumer had it.</summary>
    [Fact]
    public async Task What_an_earlier_consumer_gave_back_for_later_delays_all_behind_it()
    {
        using MappedQueue<Note> queue = Filled(3), other = Open();
        using (Subscription<Note> before = other.Subscribe("default"))
        {
            Receive(before, 0, 1).Abandon(TimeSpan.FromSeconds(1));
        }
        using Subscription<Note> subscription = queue.Subscribe("default", Single);
        Note? note = null;
        Assert.False(subscription.TryReceive(out _) || subscription.TryDequeue(ref note) || subscription.TryPeek(ref note));
        using var giveUp = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        Lease<Note> first = await subscription.ReceiveAsync(giveUp.Token);
        Assert.Equal((0L, 2), (first.Read().Id, first.Attempt));
        Receive(subscription, 1, 1).Commit();
        Receive(subscription, 2, 1).Commit();
        first.Commit();
    }

    [Fact]
    public async Task Threads_take_each_message_once()
    {
        const int count = 2_000;
        using MappedQueue<Note> queue = Filled(count);
        using Subscription<Note> subscription = queue.Subscribe("default", Single);
        long[][] taken = await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            List<long> ids = [];
            while (subscription.TryReceive(out Lease<Note> lease))
            {
                long id = lease.Read().Id;
                if (lease.Attempt == 1 && id % 7 == thread)
                {
                    lease.Abandon();
                    continue;
                }
                lease.Commit();
                ids.Add(id);
            }
            return ids.ToArray();
        })));
        Assert.Equal(Enumerable.Range(0, count).Select(static one => (long)one), taken.SelectMany(static one => one).Order());
    }

    [Fact]
    public void Another_consumer_is_refused_until_it_has_gone()
    {
        using MappedQueue<Note> queue = Filled(3), other = Open();
        using Subscription<Note> shared = other.Subscribe("default");
        Lease<Note> open;
        using (Subscription<Note> subscription = queue.Subscribe("default", Single))
        {
            Note? note = null;
            AssertInUse(() => other.Subscribe("default", Single));
            AssertInUse(() => queue.Subscribe("default", Single));
            AssertInUse(() => other.Subscribe("default", new SubscriptionOptions { Exclusive = true }));
            AssertInUse(() => shared.TryDequeue(ref note));
            AssertInUse(() => queue.TryDequeue(ref note));
            AssertInUse(() => shared.SkipCorrupt());
            Assert.True(subscription.TryReceive(out open));
        }
        // The next consumer must not be told that nothing is leased.
        AssertInUse(() => other.Subscribe("default", Single));
        open.Abandon();
        using (Subscription<Note> next = other.Subscribe("default", Single))
        {
            Receive(next, 0, 2).Commit();
        }
        Receive(shared, 1, 1).Commit();
        AssertInUse(() => queue.Subscribe("default", Single));
    }

    [Fact]
    public void A_time_for_leases_makes_no_sense_where_nobody_could_take_them_over() => Assert.Contains(
        "SubscriptionOptions.SingleConsumer is true and VisibilityTimeout",
        Assert.Throws<ArgumentException>(
            () => Open().Subscribe("default", Single with { VisibilityTimeout = TimeSpan.FromSeconds(1) })).Message,
        StringComparison.Ordinal);

    private static void AssertInUse(Func<object> use) => Assert.Equal(QueueError.InUse, Assert.Throws<QueueException>(use).Reason);
}
