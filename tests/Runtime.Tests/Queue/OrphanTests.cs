using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A dead consumer held two messages, and the first is not to be delivered any more: the consumer that looks finds the second, in the
/// same call. All of them have just looked, so they see to the dead only where they find nothing else.
/// </summary>
public sealed class OrphanTests : IDisposable
{
    private readonly Site _site = new();
    private readonly MappedStore _store;
    private readonly MappedQueue<Note> _queue;

    public OrphanTests()
    {
        _store = MappedStore.Open(Path.Combine(_site.Root, "store"), Options);
        _queue = _store.OpenQueue<Note>("q");
    }

    public static TheoryData<string, bool> Ways()
    {
        var data = new TheoryData<string, bool>();
        foreach (string way in (string[])["one", "properties", "span", "async", "channel", "lease", "leases", "transaction", "peek"])
        {
            data.Add(way, true);
            if (way != "peek")
            {
                data.Add(way, false);
            }
        }
        return data;
    }

    private static QueueOptions Options => new() { SegmentSize = 1 << 16 };

    public void Dispose()
    {
        _store.Dispose();
        _site.Dispose();
    }

    // Either its time is over, or it was delivered as often as it may be.
    [Theory]
    [MemberData(nameof(Ways))]
    public void What_is_not_to_be_delivered_does_not_hide_what_is_behind_it(string way, bool isExpired)
    {
        using Subscription<Note> subscription = _queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        using MappedQueue<Note> other = Open();
        Fill(_queue.Enqueue, isExpired);
        Hold(other.Subscribe("default"));
        Assert.Equal(-1, Take(way, subscription));
        other.Dispose();
        QueueFixture.AwaitClock();
        Assert.Equal(2, Take(way, subscription));
        Assert.Equal(way == "peek" ? 2 : -1, Take(way, subscription));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_not_to_be_delivered_does_not_hide_what_is_behind_it_from_an_exclusive_consumer(bool inSpan)
    {
        using MappedQueue<Note> other = Open();
        Fill(_queue.Enqueue, isExpired: true);
        Hold(other.Subscribe("default"));
        other.Dispose();
        using Subscription<Note> subscription = _queue.Subscribe("default", new SubscriptionOptions { Exclusive = true });
        Assert.Equal(2, Take(inSpan ? "span" : "one", subscription));
        Assert.Equal(-1, Take(inSpan ? "span" : "one", subscription));
    }

    // What is to be delivered later holds back what is behind it, not what is in front.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_dead_consumers_message_comes_before_one_that_was_given_back_for_later(bool inSpan)
    {
        using MappedQueue<Note> other = Open();
        _queue.EnqueueBatch([QueueFixture.Of(1), QueueFixture.Of(2), QueueFixture.Of(3)]);
        Subscription<Note> dying = other.Subscribe("default");
        Assert.True(dying.TryReceive(out _));
        dying.Receive().Abandon(TimeSpan.FromHours(1));
        other.Dispose();
        using Subscription<Note> subscription = _queue.Subscribe("default", new SubscriptionOptions { Exclusive = true });
        Assert.Equal(1, Take(inSpan ? "span" : "one", subscription));
        Assert.Equal(-1, Take(inSpan ? "span" : "one", subscription));
    }

    // The same message was given back at once before, and then for later.
    [Fact]
    public void Who_consumes_alone_sees_nothing_in_front_of_what_is_to_come_later()
    {
        using Subscription<Note> subscription = _queue.Subscribe("default", new SubscriptionOptions { Exclusive = true });
        _queue.EnqueueBatch([QueueFixture.Of(1), QueueFixture.Of(2)]);
        subscription.Receive().Abandon();
        subscription.Receive().Abandon(TimeSpan.FromHours(1));
        Assert.Equal(-1, Take("peek", subscription));
        Assert.Equal(-1, Take("one", subscription));
    }

    [Fact]
    public void Given_back_behind_what_has_expired_it_is_what_a_peek_shows()
    {
        using Subscription<Note> subscription = _queue.Subscribe("default");
        Fill(_queue.Enqueue, isExpired: true);
        Lease<Note> first = subscription.Receive(), second = subscription.Receive();
        second.Abandon();
        first.Abandon();
        Thread.Sleep(400);
        _queue.Enqueue(QueueFixture.Of(3));
        Assert.Equal(2, Take("peek", subscription));
        Assert.Equal(2, Take("one", subscription));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_not_to_be_delivered_does_not_hide_what_is_behind_it_in_lanes(bool isExpired)
    {
        string path = Path.Combine(_site.Root, "lanes");
        using MappedLanes<Note> lanes = MappedLanes<Note>.Open(path, 2, Options), other = MappedLanes<Note>.Open(path, 2, Options);
        using LaneSubscription<Note> subscription = lanes.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        Fill((in Note note, MessageProperties properties, CancellationToken token) => lanes.Enqueue(note, 1, properties), isExpired);
        Hold(other.Subscribe("default")[1]);
        Note? message = null;
        Assert.False(subscription.TryDequeue(ref message));
        other.Dispose();
        QueueFixture.AwaitClock();
        Assert.True(subscription.TryDequeue(ref message));
        Assert.Equal(2, message!.Id);
    }

    private delegate QueuePosition Enqueue(in Note note, MessageProperties properties, CancellationToken token = default);

    private MappedQueue<Note> Open() => MappedQueue<Note>.Open(Path.Combine(_site.Root, "store", "q"), Options);

    private static void Fill(Enqueue enqueue, bool isExpired)
    {
        enqueue(
            QueueFixture.Of(1), new MessageProperties { TimeToLive = isExpired ? TimeSpan.FromMilliseconds(300) : TimeSpan.FromHours(1) });
        enqueue(QueueFixture.Of(2), new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
    }

    // The first for the second time, and until it has expired where it may.
    private static void Hold(Subscription<Note> dying)
    {
        dying.Receive().Abandon();
        Assert.Equal(2, dying.TryReceive(new Lease<Note>[2]));
        Thread.Sleep(400);
    }

    // -1 where there is none.
    private long Take(string way, Subscription<Note> subscription)
    {
        Note? note = null;
        var notes = new Note?[4];
        var leases = new Lease<Note>[4];
        using var soon = new CancellationTokenSource(millisecondsDelay: 30_000);
        using QueueTransaction transaction = _store.Begin();
        bool isThere = way switch
        {
            "one" => subscription.TryDequeue(ref note),
            "properties" => subscription.TryDequeue(ref note, new MessageProperties()),
            "span" => subscription.TryDequeue(notes) == 1,
            "channel" => subscription.AsChannelReader().TryRead(out note),
            "async" => IsThereAtOnce(subscription, soon, ref note),
            "lease" => subscription.TryReceive(out leases[0]),
            "leases" => subscription.TryReceive(leases) == 1,
            "transaction" => transaction.TryReceive(subscription, ref note),
            _ => subscription.TryPeek(ref note),
        };
        if (!isThere)
        {
            return -1;
        }
        transaction.Commit();
        if (way is "lease" or "leases")
        {
            leases[0].ReadInto(ref note);
            leases[0].Commit();
        }
        return (note ?? notes[0])!.Id;
    }

    private static bool IsThereAtOnce(Subscription<Note> subscription, CancellationTokenSource soon, ref Note? note)
    {
        ValueTask<Note> task = subscription.DequeueAsync(default, soon.Token);
        if (task.IsCompletedSuccessfully)
        {
            note = task.Result;
            return true;
        }
        soon.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => task.AsTask().GetAwaiter().GetResult());
        return false;
    }
}
