using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A lease is overdue, and another consumer takes the message and commits it, while its holder looks at it: the bytes may be others' then.
/// The queue is healthy, so nobody is told that it is damaged.
/// </summary>
public sealed class LostLeaseTests : IDisposable
{
    private readonly Site _site = new();
    private readonly MappedStore _store;
    private readonly MappedQueue<Meddler> _queue;
    private readonly MappedQueue<Meddler> _other;
    private readonly Subscription<Meddler> _subscription;
    private readonly Subscription<Meddler> _hasty;

    public LostLeaseTests()
    {
        var options = new QueueOptions { SegmentSize = 1 << 16 };
        _store = MappedStore.Open(Path.Combine(_site.Root, "store"), options);
        _queue = _store.OpenQueue<Meddler>("q");
        _other = MappedQueue<Meddler>.Open(Path.Combine(_site.Root, "store", "q"), options);
        _subscription = _queue.Subscribe("default");
        _hasty = _other.Subscribe("default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
    }

    public void Dispose()
    {
        Meddler.Meanwhile = null;
        _other.Dispose();
        _store.Dispose();
        _site.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_holder_is_told_that_the_lease_was_lost_while_it_read(bool fails)
    {
        Fill(1);
        Lease<Meddler> lease = _subscription.Receive();
        Meddler.Meanwhile = () => Lose(fails);
        Meddler? message = null;
        Assert.Throws<LeaseLostException>(() => lease.ReadInto(ref message));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_transaction_takes_the_next_message(bool fails)
    {
        Fill(2);
        using QueueTransaction transaction = _store.Begin();
        Meddler.Meanwhile = () => Lose(fails);
        Meddler? message = null;
        Assert.True(transaction.TryReceive(_subscription, ref message));
        Assert.Equal(1, message!.Id);
        transaction.Commit();
        AssertEmpty();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_dequeues_gets_the_next_message(bool inRun)
    {
        Fill(3);
        _subscription.Receive().Abandon();
        Meddler.Meanwhile = () => Lose(fails: true);
        var messages = new Meddler?[3];
        int count = inRun ? _subscription.TryDequeue(messages) : _subscription.TryDequeue(ref messages[0]) ? 1 : 0;
        Assert.Equal(inRun ? [1, 2] : [1L], messages.Take(count).Select(static one => one!.Id));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_dequeues_what_a_dead_consumer_held_gets_the_next_message(bool inRun)
    {
        Fill(2);
        using (var dying = MappedQueue<Meddler>.Open(Path.Combine(_site.Root, "store", "q")))
        {
            Assert.Equal(2, dying.Subscribe("default").TryReceive(new Lease<Meddler>[2]));
            Assert.Equal(0, _subscription.TryDequeue(new Meddler?[2]));
        }
        QueueFixture.AwaitClock();
        Meddler.Meanwhile = () => Lose(fails: true);
        var messages = new Meddler?[3];
        Assert.True(inRun ? _subscription.TryDequeue(messages) == 1 : _subscription.TryDequeue(ref messages[0]));
        Assert.Equal(1, messages[0]!.Id);
    }

    // Between the taking and the first look there is no code of a message's own: it is asked here what it would be asked then.
    [Theory]
    [InlineData(ExpiredMode.Drop, 10)]
    [InlineData(ExpiredMode.DeadLetter, 10)]
    [InlineData(ExpiredMode.Drop, 1)]
    public void What_was_lost_before_the_first_look_is_not_to_be_delivered(ExpiredMode expired, int maxAttempts)
    {
        using Subscription<Meddler> taker = _queue.Subscribe(
            "default", new SubscriptionOptions { OnExpired = expired, MaxAttempts = maxAttempts });
        _queue.Enqueue(new Meddler(), new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
        _subscription.Receive().Abandon();
        Lease<Meddler> lease = _subscription.Receive();
        Lose(fails: false);
        using (FileStream segment = Site.OpenToDamage(
            Directory.GetFiles(Path.Combine(_site.Root, "store", "q"), "segment-*").Order(StringComparer.Ordinal).First()))
        {
            segment.Position = lease.Position.Value;
            segment.Write([1, 2, 3, 4, 5, 6, 7, 8]);
        }
        using CallGate.Call call = taker.Store.Gate.Enter();
        Assert.False(taker.IsToBeDelivered(lease.Held));
    }

    [Fact]
    public void A_commit_of_many_says_how_many_had_ended_and_which_was_the_first()
    {
        Fill(3);
        Lease<Meddler> first = _subscription.Receive(), second = _subscription.Receive(), third = _subscription.Receive();
        // One that is named twice has ended when it comes for the second time.
        Lease<Meddler>[] leases = [first, first, second, second, third];
        string message = Assert.Throws<InvalidOperationException>(() => _subscription.Commit(leases)).Message;
        Assert.Contains(": lease 1 of the message at ", message, StringComparison.Ordinal);
        Assert.EndsWith("It is the first of 2 that had; all others were committed.", message, StringComparison.Ordinal);
        AssertEmpty();
    }

    private void Fill(int count)
    {
        for (int id = 0; id < count; id++)
        {
            _queue.Enqueue(new Meddler { Id = id });
        }
    }

    // The message whose lease is overdue goes to the other consumer, for good.
    private void Lose(bool fails)
    {
        Thread.Sleep(20);
        using (Lease<Meddler> taken = _hasty.Receive(new CancellationTokenSource(TimeSpan.FromSeconds(30)).Token))
        {
            Assert.True(taken.Attempt > 1, "another message was taken");
            taken.Commit();
        }
        if (fails)
        {
            throw new FormatException("as bytes of another message may make it");
        }
    }

    private void AssertEmpty()
    {
        SubscriptionStatus status = _queue.GetStatus().Subscriptions[0];
        Assert.Equal((0, 0), (status.Lag, status.InFlight));
    }
}
