using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>One consumer with as many leases as it likes.</summary>
public sealed class SingleConsumerTests : QueueFixture
{
    private static readonly SubscriptionOptions Single = new() { SingleConsumer = true };

    [Fact]
    public void It_has_many_leases_and_what_it_gives_back_delays_nothing()
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
        // Whoever comes next must not be told that nothing is leased.
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
