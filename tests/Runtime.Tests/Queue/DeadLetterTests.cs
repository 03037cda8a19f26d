using BlitQueue.Log;
using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

public sealed class DeadLetterTests : QueueFixture
{
    [Fact]
    public void A_message_set_aside_stands_there_with_reason_and_origin_and_comes_no_more()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 3);
        Assert.True(audit.TryReceive(out Lease<Note> lease));
        lease.DeadLetter("no such customer");
        Assert.Throws<InvalidOperationException>(() => lease.Commit());
        Assert.Throws<InvalidOperationException>(() => lease.DeadLetter("again"));
        Assert.Equal(Ids(1, 2), SubscriptionTests.Drain(audit));
        Assert.Equal(Ids(0, 3), Drain(queue));

        Assert.Equal(1, audit.DeadLetters.Count);
        DeadLetter<Note>? letter = null;
        Assert.True(audit.DeadLetters.TryTake(ref letter));
        Assert.Equal((0, "note 0", "no such customer", 1), (letter!.Message.Id, letter.Message.Text, letter.Reason, letter.Attempts));
        Assert.Equal(lease.Position, letter.Position);
        Assert.InRange(DateTime.UtcNow - letter.DeadLetteredAt, TimeSpan.Zero, TimeSpan.FromMinutes(5));
        Assert.False(audit.DeadLetters.TryTake(ref letter));
    }

    [Fact]
    public void A_message_delivered_too_often_is_set_aside()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 3 });
        Enqueue(queue, 0, 2);
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            Assert.True(subscription.TryReceive(out Lease<Note> lease));
            Assert.Equal(attempt, lease.Attempt);
            lease.Abandon();
        }
        Assert.Equal([1L], SubscriptionTests.Drain(subscription));
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal((0L, 3), (letter!.Message.Id, letter.Attempts));
        Assert.Contains("3 times", letter.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_letter_is_told_and_can_be_skipped()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { UseChecksums = true });
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 3);
        foreach (string reason in (string[])["first", "second", "third"])
        {
            audit.Receive().DeadLetter(reason);
        }
        DeadLetterQueue<Note> letters = audit.DeadLetters;
        Assert.False(letters.SkipCorrupt());
        Site.Overwrite(
            Path.Combine(StoreFormat.DeadLettersName("audit"), StoreFormat.SegmentName(0)), SegmentFormat.PageSize + 40, [0xEE, 0xEE]);
        DeadLetter<Note>? letter = null;
        QueueCorruptException damage = Assert.Throws<QueueCorruptException>(() => letters.TryTake(ref letter));
        Assert.NotNull(damage.HoleEnd);
        Assert.Contains("SkipCorrupt()", damage.Message, StringComparison.Ordinal);
        Assert.True(letters.SkipCorrupt());
        Assert.False(letters.SkipCorrupt());
        Assert.True(letters.TryTake(ref letter));
        Assert.Equal((1L, "second"), (letter!.Message.Id, letter.Reason));
        Assert.Equal(1, letters.Count);
    }

    [Fact]
    public void Whoever_dequeues_sets_aside_what_was_delivered_too_often()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 100 });
        Enqueue(queue, 0, 2);
        for (int attempt = 1; attempt <= 10; attempt++)
        {
            subscription.Receive().Abandon();
        }
        Assert.Equal([1L], Drain(queue));
        Assert.Equal(1, queue.GetStatus().Subscriptions[0].DeadLetters);
    }

    [Fact]
    public void Letters_outlive_every_handle_and_are_counted()
    {
        using (MappedQueue<Note> queue = Open())
        {
            Enqueue(queue, 0, 5);
            Assert.Equal(0, queue.GetStatus().Subscriptions[0].DeadLetters);
            Assert.DoesNotContain("dead-default", Site.Files());
            using Subscription<Note> subscription = queue.Subscribe("default");
            for (int id = 0; id < 5; id++)
            {
                subscription.Receive().DeadLetter($"reason {id}");
            }
        }
        using MappedQueue<Note> again = Open();
        Assert.Equal(5, again.GetStatus().Subscriptions[0].DeadLetters);
        DeadLetter<Note>? letter = null;
        using Subscription<Note> later = again.Subscribe("default");
        for (int id = 0; id < 5; id++)
        {
            Assert.True(later.DeadLetters.TryTake(ref letter));
            Assert.Equal((id, $"reason {id}"), (letter!.Message.Id, letter.Reason));
        }
        Assert.Equal(0, again.GetStatus().Subscriptions[0].DeadLetters);
    }

    [Fact]
    public void A_large_message_is_set_aside_whole()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(7, 3_000_000));
        subscription.Receive().DeadLetter("too large");
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal(3_000_000, letter!.Message.Text!.Length);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(3_000_000)]
    public void A_letter_preserves_its_messages_properties(int length)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Stamps = MessageStamps.Time });
        using Subscription<Note> subscription = queue.Subscribe("default");
        MessageProperties given = PropertyTests.All();
        given.TimeToLive = TimeSpan.FromHours(1);
        queue.Enqueue(Of(1, length), given);
        queue.Enqueue(Of(2, length), new MessageProperties { Label = "second" });
        DateTime enqueued = default;
        for (int id = 1; id <= 2; id++)
        {
            using Lease<Note> lease = subscription.Receive();
            enqueued = id == 1 ? lease.ReadProperties()!.EnqueuedAt!.Value : enqueued;
            lease.DeadLetter("no");
        }
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal((1, length, enqueued), (letter!.Message.Id, letter.Message.Text!.Length, letter.Properties!.EnqueuedAt));
        Assert.InRange(letter.Properties.ExpiresAt!.Value - enqueued, TimeSpan.FromMinutes(59), TimeSpan.FromMinutes(61));
        PropertyTests.AssertSame(PropertyTests.All(), letter.Properties);
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal((2, "second", null), (letter!.Message.Id, letter.Properties!.Label, letter.Properties.ExpiresAt));
        using Subscription<Note> simple = queue.Subscribe("simple");
        using MappedQueue<Note> unstamped = Open();
        simple.Seek(QueuePosition.Newest);
        unstamped.Enqueue(Of(3));
        simple.Receive().DeadLetter("no");
        Assert.True(simple.DeadLetters.TryTake(ref letter));
        Assert.Null(letter!.Properties);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_letter_whose_sync_the_disk_refused_is_there_and_its_message_comes_no_more(bool byHand)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { Durability = Durability.Commit });
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        Enqueue(queue, 0, 2);
        Assert.Equal(0, subscription.DeadLetters.Count);
        Lease<Note> lease = subscription.Receive();
        // As the process does that the disk has refused, before anything else.
        Site.Overwrite(
            Path.Combine(StoreFormat.DeadLettersName("default"), StoreFormat.ControlName), ControlFormat.FailedOffset,
            BitConverter.GetBytes(ControlFormat.FailedWord(5, Environment.ProcessId)));
        if (!byHand)
        {
            lease.Abandon();
        }
        Action bury = byHand ? () => lease.DeadLetter("no") : () => subscription.TryReceive(out _);
        Assert.Equal(FailureOutcome.Committed, Assert.Throws<QueueFailedException>(bury).Outcome);
        if (byHand)
        {
            Assert.Throws<InvalidOperationException>(() => lease.Commit());
        }
        Assert.Equal((1, 0), (queue.GetStatus().Subscriptions[0].Lag, queue.GetStatus().Subscriptions[0].InFlight));

        // Of the next nothing is written any more: it stays the holder's.
        Lease<Note> next = Receive(subscription, 1, attempt: 1);
        Assert.Equal(FailureOutcome.NothingDone, Assert.Throws<QueueFailedException>(() => next.DeadLetter("no")).Outcome);
        next.Commit();
        Assert.Equal(0, queue.GetStatus().MessageCount);
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal(0, letter!.Message.Id);
        Assert.False(subscription.DeadLetters.TryTake(ref letter));
    }

    [Fact]
    public void Another_gets_the_lease_of_a_live_holder_after_the_time_that_it_chose()
    {
        var clock = new SetClock();
        using MappedQueue<Note> queue = Open(), other = Open(new QueueOptions { SegmentSize = 1 << 16, TimeProvider = clock });
        Enqueue(queue, 0, 1);
        using Subscription<Note> holder = queue.Subscribe("default");
        using Subscription<Note> patient = other.Subscribe("default");
        var time = TimeSpan.FromMilliseconds(50);
        using Subscription<Note> hasty = other.Subscribe("default", new SubscriptionOptions { VisibilityTimeout = time });
        Lease<Note> held = holder.Receive();
        Assert.False(hasty.TryReceive(out _));
        clock.Advance(time + TimeSpan.FromMilliseconds(1));
        Lease<Note> taken = hasty.Receive();
        Assert.Equal((held.Position, 2), (taken.Position, taken.Attempt));
        Assert.False(patient.TryReceive(out _));
        Assert.Contains("visibility", Assert.Throws<LeaseLostException>(() => held.Commit()).Message, StringComparison.Ordinal);
        held.Dispose();
        taken.Commit();
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void Options_out_of_range_are_refused()
    {
        using MappedQueue<Note> queue = Open();
        Assert.Contains(
            "MaxAttempts", Assert.Throws<ArgumentException>(() => queue.Subscribe("a", new() { MaxAttempts = 0 })).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "VisibilityTimeout", Assert.Throws<ArgumentException>(
                () => queue.Subscribe("a", new() { VisibilityTimeout = TimeSpan.Zero })).Message,
            StringComparison.Ordinal);
    }
}
