using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Dead letters are consumed like messages, looked at, and become messages again.</summary>
public sealed class RequeueTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public void A_leased_letter_is_committed_given_back_or_goes_to_another_when_its_holder_ends()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = WithLetters(queue, 3);
        DeadLetterQueue<Note> letters = subscription.DeadLetters;
        DeadLetterLease<Note> first = Receive(letters, 0, 1);
        Assert.Equal((2, "reason 0"), (letters.Count, first.Read().Reason));
        first.Abandon();
        Assert.Equal(3, letters.Count);
        first = Receive(letters, 0, 2);
        first.Commit();
        Assert.Throws<InvalidOperationException>(first.Commit);
        Assert.Throws<InvalidOperationException>(() => first.Read());
        Assert.Throws<InvalidOperationException>(() => first.Requeue());
        first.Dispose();
        using (Receive(letters, 1, 1))
        {
        }
        using (MappedQueue<Note> other = Open())
        {
            using Subscription<Note> dying = other.Subscribe("default");
            Receive(dying.DeadLetters, 1, 2);
        }
        AwaitClock();
        Receive(letters, 1, 3).Commit();
        Receive(letters, 2, 1).Commit();
        Assert.False(letters.TryReceive(out DeadLetterLease<Note> none));
        Assert.Throws<InvalidOperationException>(none.Commit);
        none.Dispose();
        Assert.Equal(0, letters.Count);
    }

    [Fact]
    public void Who_looks_takes_nothing()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = WithLetters(queue, 5);
        DeadLetterQueue<Note> letters = subscription.DeadLetters;
        Assert.Equal(Ids(0, 1, 2, 3, 4), letters.Select(static letter => letter.Message.Id));
        DeadLetter<Note>? letter = null;
        Assert.True(letters.TryPeek(ref letter));
        Assert.Equal((0, "reason 0"), (letter!.Message.Id, letter.Reason));
        DeadLetterLease<Note> held = Receive(letters, 0, 1);
        Assert.True(letters.TryPeek(ref letter));
        Assert.Equal(1, letter!.Message.Id);
        Receive(letters, 1, 1).Commit();
        Assert.Equal(Ids(0, 2, 3, 4), letters.Select(static letter => letter.Message.Id));
        held.Abandon();
        Assert.True(letters.TryPeek(ref letter));
        Assert.Equal(0, letter!.Message.Id);
        Assert.Equal(4, letters.Count);
        foreach (DeadLetter<Note> one in letters)
        {
            Assert.True(letters.TryTake(ref letter));
            Assert.Equal(one.Message.Id, letter!.Message.Id);
        }
        Assert.False(letters.TryPeek(ref letter));
        Assert.Empty(letters);
    }

    [Fact]
    public async Task Who_waits_gets_the_next_letter_or_nothing_when_its_time_is_over()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        DeadLetterQueue<Note> letters = subscription.DeadLetters;
        Assert.Null(letters.Receive(TimeSpan.FromMilliseconds(20)));
        Assert.Null(letters.Receive(TimeSpan.Zero));
        Assert.Null(await letters.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
        Assert.Null(await letters.ReceiveAsync(TimeSpan.Zero));
        using var ending = new CancellationTokenSource();
        Task<DeadLetterLease<Note>> waiting = letters.ReceiveAsync().AsTask(), cancelled = letters.ReceiveAsync(ending.Token).AsTask();
        await ending.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        Assert.ThrowsAny<OperationCanceledException>(() => letters.Receive(ending.Token));
        Task<DeadLetterLease<Note>> thread = Task.Run(() => letters.Receive());
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2));
        subscription.Receive().DeadLetter("no");
        subscription.Receive().DeadLetter("no");
        DeadLetterLease<Note> one = await waiting.WaitAsync(Patience), other = await thread.WaitAsync(Patience);
        Assert.Equal(Ids(1, 2), new[] { one.Read().Message.Id, other.Read().Message.Id }.Order());
        one.Abandon();
        List<long> ids = [];
        await foreach (DeadLetterLease<Note> lease in letters.ReceiveAllAsync())
        {
            ids.Add(lease.Attempt);
            if (lease.Attempt == 3)
            {
                lease.Commit();
                break;
            }
        }
        Assert.Equal(Ids(2, 3), ids);
        Task<DeadLetterLease<Note>?> timed = letters.ReceiveAsync(TimeSpan.FromMinutes(5)).AsTask();
        queue.Enqueue(Of(3));
        subscription.Receive().DeadLetter("no");
        DeadLetterLease<Note> last = (await timed.WaitAsync(Patience))!.Value;
        Assert.Equal(3, last.Read().Message.Id);
        last.Commit();
        waiting = letters.ReceiveAsync().AsTask();
        queue.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Patience));
        AssertNothingOpen();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    [InlineData(3_000_000)]
    public void A_requeued_letter_is_a_message_again_with_its_properties_and_its_attempts_anew(int length)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 20, Stamps = MessageStamps.Time });
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        queue.Enqueue(Of(7, length), PropertyTests.All());
        queue.Enqueue(Of(8));
        Receive(subscription, 7, 1).Abandon("first");
        Receive(subscription, 7, 2).Abandon("second");
        Receive(subscription, 8, 1).Commit();
        DeadLetterLease<Note> letter = Receive(subscription.DeadLetters, 7, 1);
        DateTime before = DateTime.UtcNow;
        QueuePosition position = letter.Requeue();
        Assert.Equal(0, subscription.DeadLetters.Count);
        Assert.Throws<InvalidOperationException>(() => letter.Requeue());
        Lease<Note> lease = Receive(subscription, 7, 1);
        Assert.Equal(position, lease.Position);
        PropertyTests.AssertSame(PropertyTests.All(), lease.ReadProperties()!);
        Assert.InRange(lease.ReadProperties()!.EnqueuedAt!.Value, before, DateTime.UtcNow);
        Assert.Equal(Of(7, length).Text, lease.Read().Text);
        lease.Abandon();
        Receive(subscription, 7, 2).Abandon("again");
        Assert.False(subscription.TryReceive(out _));
        Assert.Equal("again", Receive(subscription.DeadLetters, 7, 1).Read().Reason);
    }

    [Fact]
    public void A_message_without_properties_has_none_afterwards()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = WithLetters(queue, 1);
        Receive(subscription.DeadLetters, 0, 1).Requeue();
        Lease<Note> lease = Receive(subscription, 0, 1);
        Assert.Null(lease.ReadProperties());
        lease.DeadLetter("again");
        DeadLetterLease<Note> letter = Receive(subscription.DeadLetters, 0, 1);
        Assert.Null(letter.Read().Properties);
        subscription.DeadLetters.Requeue(letter);
        Note? note = null;
        var properties = new MessageProperties { Label = "left over" };
        Assert.True(queue.TryDequeue(ref note, properties));
        Assert.Equal((0, null), (note.Id, properties.Label));
    }

    [Fact]
    public void Only_the_letters_own_subscription_gets_the_message()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit"), billing = queue.Subscribe("billing");
        queue.Enqueue(Of(1), new MessageProperties { Label = "one" });
        queue.Enqueue(Of(2));
        Receive(billing, 1, 1).DeadLetter("no");
        Receive(billing, 2, 1).DeadLetter("no");
        Assert.Equal(2, billing.DeadLetters.RequeueAll());
        queue.Enqueue(Of(3));
        Assert.Equal(Ids(1, 2, 3), SubscriptionTests.Drain(audit));
        Receive(queue.Subscribe("default"), 1, 1).Commit();
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        Assert.True(queue.TryPeek(ref note));
        Assert.Equal(3, note.Id);
        var batch = new Note?[8];
        Assert.Equal(1, queue.TryDequeue(batch));
        Assert.Equal(Ids(1, 2, 3), SubscriptionTests.Drain(billing));
        Assert.Equal(0, queue.GetStatus().MessageCount);
        Assert.Equal(0, queue.GetStatus().Subscriptions.Sum(static one => one.Expired));
    }

    [Fact]
    public void A_time_to_live_that_is_over_is_left_out()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { OnExpired = ExpiredMode.DeadLetter });
        queue.Enqueue(Of(1), new MessageProperties { TimeToLive = TimeSpan.FromMilliseconds(1), Label = "late" });
        queue.Enqueue(Of(2), new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
        Thread.Sleep(20);
        Receive(subscription, 2, 1).DeadLetter("no");
        Assert.Equal(2, subscription.DeadLetters.RequeueAll());
        Lease<Note> one = Receive(subscription, 1, 1), two = Receive(subscription, 2, 1);
        Assert.Equal(("late", null), (one.ReadProperties()!.Label, one.ReadProperties()!.ExpiresAt));
        Assert.NotNull(two.ReadProperties()!.ExpiresAt);
    }

    [Fact]
    public void All_become_messages_in_their_order_and_none_twice_although_they_become_letters_again()
    {
        const int Count = 50;
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = WithLetters(queue, Count);
        DeadLetterLease<Note> held = Receive(subscription.DeadLetters, 0, 1);
        Assert.Equal(Count - 1, subscription.DeadLetters.RequeueAll());
        for (int id = 1; id < Count; id++)
        {
            Receive(subscription, id, 1).DeadLetter("again");
        }
        held.Abandon();
        Assert.Equal(Count, subscription.DeadLetters.RequeueAll());
        Assert.Equal(0, subscription.DeadLetters.RequeueAll());
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public async Task Many_threads_of_two_handles_requeue_and_consume_and_each_message_is_there_once()
    {
        const int Count = 400;
        using MappedQueue<Note> queue = Open(), other = Open();
        using Subscription<Note> subscription = WithLetters(queue, Count);
        using Subscription<Note> apart = other.Subscribe("default");
        var ids = new System.Collections.Concurrent.ConcurrentBag<long>();
        Task[] requeuers = [.. ((Subscription<Note>[])[subscription, subscription, apart]).Select(static one => Task.Run(() =>
        {
            while (one.DeadLetters.TryReceive(out DeadLetterLease<Note> lease))
            {
                lease.Requeue();
            }
        }))];
        Task[] consumers = [.. ((Subscription<Note>[])[subscription, apart]).Select(one => Task.Run(() =>
        {
            Note? note = null;
            while (ids.Count < Count)
            {
                if (one.Dequeue(ref note, TimeSpan.FromMilliseconds(10)))
                {
                    ids.Add(note.Id);
                }
            }
        }))];
        await Task.WhenAll([.. requeuers, .. consumers]).WaitAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), ids.Order());
        Assert.Equal((0, 0), (queue.GetStatus().MessageCount, subscription.DeadLetters.Count));
    }

    [Fact]
    public void Without_room_the_letter_stays_leased()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 10_000, FullMode = FullMode.Fail });
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(0, 1000));
        subscription.Receive().DeadLetter("no");
        while (queue.TryEnqueue(Of(1, 1000)))
        {
        }
        DeadLetterLease<Note> letter = Receive(subscription.DeadLetters, 0, 1);
        Assert.Throws<QueueFullException>(() => letter.Requeue());
        Assert.Throws<OperationCanceledException>(() => letter.Requeue(new CancellationToken(canceled: true)));
        Drain(queue);
        letter.Requeue();
        Assert.Equal([0], Drain(queue));
    }

    [Fact]
    public void What_is_no_lease_of_these_letters_is_told()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = WithLetters(queue, 1), audit = queue.Subscribe("audit");
        DeadLetterLease<Note> lease = Receive(subscription.DeadLetters, 0, 1);
        Assert.Contains("'default'", Assert.Throws<ArgumentException>(() => audit.DeadLetters.Requeue(lease)).Message);
        Assert.Contains("no letter", Assert.Throws<ArgumentException>(() => audit.DeadLetters.Requeue(default)).Message);
        lease.Commit();
    }

    [Fact]
    public void A_damaged_letter_is_told_and_skipped_also_where_it_was_taken_before()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { UseChecksums = true, SegmentSize = 1 << 16 });
        using Subscription<Note> subscription = WithLetters(queue, 2);
        DeadLetterQueue<Note> letters = subscription.DeadLetters;
        QueuePosition first;
        using (DeadLetterLease<Note> lease = Receive(letters, 0, 1))
        {
            first = lease.Position;
        }
        Site.Overwrite(
            Path.Combine(StoreFormat.DeadLettersName("default"), StoreFormat.SegmentName(0)), first.Value + 20, [0xEE, 0xEE, 0xEE]);
        DeadLetter<Note>? letter = null;
        Assert.Throws<QueueCorruptException>(() => letters.TryTake(ref letter));
        Assert.True(letters.SkipCorrupt());
        Receive(letters, 1, 1).Commit();
        Assert.False(letters.SkipCorrupt());
    }

    [Fact]
    public void What_was_requeued_is_there_after_a_recovery()
    {
        using (MappedQueue<Note> queue = Open())
        {
            using Subscription<Note> subscription = WithLetters(queue, 3);
            Receive(subscription.DeadLetters, 0, 1).Requeue();
        }
        File.Delete(Site.File(StoreFormat.ControlName));
        using MappedQueue<Note> again = Open();
        using Subscription<Note> next = again.Subscribe("default");
        Assert.Equal(2, next.DeadLetters.RequeueAll());
        Assert.Equal(Ids(0, 1, 2), Drain(again));
        Assert.True(MappedQueue.Verify(Site.Queue).IsSound);
    }

    private static long[] Ids(params long[] ids) => ids;

    private static Subscription<Note> WithLetters(MappedQueue<Note> queue, int count)
    {
        Subscription<Note> subscription = queue.Subscribe("default");
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id));
            Receive(subscription, id, 1).DeadLetter($"reason {id}");
        }
        return subscription;
    }

    private static DeadLetterLease<Note> Receive(DeadLetterQueue<Note> letters, long id, int attempt)
    {
        Assert.True(letters.TryReceive(out DeadLetterLease<Note> lease));
        Assert.Equal((id, attempt), (lease.Read().Message.Id, lease.Attempt));
        return lease;
    }
}
