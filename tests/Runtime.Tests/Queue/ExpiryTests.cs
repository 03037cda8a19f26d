using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

/// <summary>A message whose time is over is never delivered: it goes, or becomes a dead letter, when a consumer comes to it.</summary>
public sealed class ExpiryTests : QueueFixture
{
    private static readonly SubscriptionOptions SetAside = new() { OnExpired = ExpiredMode.DeadLetter };

    private static MessageProperties Past => new() { ExpiresAt = DateTime.UtcNow.AddSeconds(-1) };

    private static MessageProperties Later => new() { TimeToLive = TimeSpan.FromHours(1), Label = "later" };

    [Theory]
    [InlineData(10)]
    [InlineData(200_000)]
    public void An_expired_message_is_stepped_over_and_counted(int length)
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1, length), Past);
        queue.Enqueue(Of(2, length), Later);
        queue.EnqueueBatch([Of(3, length), Of(4, length)], Past);
        queue.Enqueue(Of(5, length));
        Assert.Equal(5, queue.GetStatus().MessageCount);
        Assert.Equal([2L, 5L], Drain(queue));
        SubscriptionStatus status = queue.GetStatus().Subscriptions[0];
        Assert.Equal((3, 0, 0), (status.Expired, status.Lag, status.DeadLetters));
    }

    [Fact]
    public void A_message_in_time_says_when_it_ends()
    {
        using MappedQueue<Note> queue = Open();
        DateTime before = DateTime.UtcNow;
        queue.Enqueue(Of(1), Later);
        var properties = new MessageProperties();
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note, properties));
        Assert.Equal("later", properties.Label);
        Assert.Null(properties.TimeToLive);
        Assert.Equal(DateTimeKind.Utc, properties.ExpiresAt!.Value.Kind);
        Assert.InRange(properties.ExpiresAt.Value, before.AddHours(1), DateTime.UtcNow.AddHours(1));
        // As it was read it goes on to the next queue, with the same end.
        queue.Enqueue(Of(2), properties);
        var again = new MessageProperties();
        Assert.True(queue.TryDequeue(ref note, again));
        Assert.Equal(properties.ExpiresAt, again.ExpiresAt);
    }

    [Fact]
    public void The_earlier_of_two_ends_counts_and_none_is_too_late()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1), new MessageProperties { TimeToLive = TimeSpan.MaxValue });
        queue.Enqueue(Of(2), new MessageProperties { TimeToLive = TimeSpan.FromHours(1), ExpiresAt = DateTime.Now.AddHours(-1) });
        queue.Enqueue(Of(3), new MessageProperties { TimeToLive = TimeSpan.FromTicks(1), ExpiresAt = DateTime.MaxValue });
        Thread.Sleep(1);
        Assert.Equal([1L], Drain(queue));
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessageProperties { TimeToLive = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new MessageProperties { TimeToLive = TimeSpan.FromTicks(-1) });
    }

    [Fact]
    public void An_expired_message_becomes_a_dead_letter_where_that_is_asked()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> dequeuing = queue.Subscribe("dequeuing", SetAside);
        using Subscription<Note> leasing = queue.Subscribe("leasing", SetAside);
        queue.Enqueue(Of(1), Past);
        queue.Enqueue(Of(2, 100_000), Past);
        queue.Enqueue(Of(3));
        Assert.Equal([3L], SubscriptionTests.Drain(dequeuing));
        using (Lease<Note> lease = leasing.Receive())
        {
            Note? note = null;
            lease.ReadInto(ref note);
            Assert.Equal((3, 1), (note!.Id, lease.Attempt));
            lease.Commit();
        }
        foreach (Subscription<Note> subscription in new[] { dequeuing, leasing })
        {
            DeadLetter<Note>? letter = null;
            for (int id = 1; id <= 2; id++)
            {
                Assert.True(subscription.DeadLetters.TryTake(ref letter));
                Assert.Equal((id, "expired", 0), (letter!.Message.Id, letter.Reason, letter.Attempts));
                Assert.True(letter.Properties!.ExpiresAt < DateTime.UtcNow);
            }
            Assert.False(subscription.DeadLetters.TryTake(ref letter));
            SubscriptionStatus status = queue.GetStatus().Subscriptions.Single(status => status.Name == subscription.Name);
            Assert.Equal((2, 0, 0), (status.Expired, status.Lag, status.InFlight));
        }
    }

    [Theory]
    [InlineData(ExpiredMode.Drop)]
    [InlineData(ExpiredMode.DeadLetter)]
    public void A_message_given_back_may_have_had_its_time(ExpiredMode mode)
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { OnExpired = mode });
        var soon = new MessageProperties { ExpiresAt = DateTime.UtcNow.AddSeconds(2) };
        queue.Enqueue(Of(1), soon);
        queue.Enqueue(Of(2));
        Lease<Note> lease = subscription.Receive();
        SpinWait.SpinUntil(() => DateTime.UtcNow > soon.ExpiresAt);
        Note? note = null;
        // Delivered in time, it is its holder's.
        lease.ReadInto(ref note);
        Assert.Equal(1, note!.Id);
        lease.Abandon();
        Assert.Equal([2L], SubscriptionTests.Drain(subscription));
        DeadLetter<Note>? letter = null;
        Assert.Equal(mode == ExpiredMode.DeadLetter, subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal(mode == ExpiredMode.DeadLetter ? 1 : null, letter?.Attempts);
        Assert.Equal(1, queue.GetStatus().Subscriptions[0].Expired);
    }

    [Fact]
    public async Task Waiting_goes_on_over_an_expired_message()
    {
        using MappedQueue<Note> queue = Open();
        Task<Note> waiting = queue.DequeueAsync().AsTask();
        var waiter = new Thread(() =>
        {
            Note? note = null;
            queue.Dequeue(ref note);
        });
        waiter.Start();
        queue.Enqueue(Of(1), Past);
        Assert.True(SpinWait.SpinUntil(() => queue.GetStatus().Subscriptions[0].Expired == 1, TimeSpan.FromSeconds(30)));
        Assert.False(waiting.IsCompleted);
        Enqueue(queue, 2, 2);
        Assert.NotEqual(1, (await waiting.WaitAsync(TimeSpan.FromSeconds(30))).Id);
        Assert.True(waiter.Join(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void What_is_damaged_is_damaged_and_not_expired()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        queue.Enqueue(Of(1), Past);
        using (FileStream segment = File.Open(
            Site.File("segment-0000000000000000"), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            segment.Position = 4096 + 8 + 16;
            segment.Write([0x77]);
        }
        Note? note = null;
        Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref note));
        Assert.Equal(0, queue.GetStatus().Subscriptions[0].Expired);
        Assert.True(queue.SkipCorrupt());
    }

    [Fact]
    public void An_option_out_of_range_is_refused()
    {
        using MappedQueue<Note> queue = Open();
        Assert.Contains(
            "Expired", Assert.Throws<ArgumentException>(() => queue.Subscribe("a", new() { OnExpired = (ExpiredMode)7 })).Message,
            StringComparison.Ordinal);
    }
}
