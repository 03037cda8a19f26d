using Xunit;

namespace BlitQueue.Tests.Queue;

/// <content>One message whose unpacking always throws, among others.</content>
public sealed partial class ThrowingUserCodeTests
{
    public static IEnumerable<object[]> Poison()
        => from code in OfUnpacking[2..] from length in (int[])[0, Long] select new object[] { code, length };

    [Theory]
    [MemberData(nameof(Poison))]
    public void A_message_that_throws_each_time_is_set_aside_after_its_last_attempt_and_the_others_come(OwnCode code, int length)
    {
        using MappedQueue<Fragile> queue = Open();
        using Subscription<Fragile> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 3 });
        EnqueueFive(queue, length);
        Fragile.Arm(code, id: 0);
        List<long> committed = [];
        int thrown = 0;
        while (subscription.TryReceive(out Lease<Fragile> lease))
        {
            using Lease<Fragile> abandoned = lease;
            try
            {
                committed.Add(Commit(lease));
            }
            catch (FragileException)
            {
                thrown++;
            }
        }
        Assert.Equal(3, thrown);
        Assert.Equal([1, 2, 3, 4], committed);
        AssertLetter(subscription, "3 times", attempts: 3);
    }

    [Theory]
    [MemberData(nameof(Poison))]
    public void A_lease_of_it_is_set_aside_by_hand(OwnCode code, int length)
    {
        using MappedQueue<Fragile> queue = Open();
        using Subscription<Fragile> subscription = queue.Subscribe("default");
        EnqueueFive(queue, length);
        Fragile.Arm(code, id: 0);
        Lease<Fragile> lease = subscription.Receive();
        Assert.Throws<FragileException>(() => Commit(lease));
        lease.DeadLetter("thrown");
        Assert.Equal([1, 2, 3, 4], Drain(queue));
        AssertLetter(subscription, "thrown", attempts: 1);
    }

    [Fact]
    public void What_was_set_aside_is_told_apart_without_unpacking_after_its_holder_has_died_there()
    {
        using MappedQueue<Fragile> queue = Open();
        using Subscription<Fragile> subscription = queue.Subscribe("default");
        EnqueueFive(queue, length: 0);
        Fragile.Arm(OwnCode.Setter, id: 0);
        Lease<Fragile> lease = subscription.Receive();
        lease.DeadLetter("first");
        Assert.True(subscription.DeadLetters.Contains(lease.Position));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Its_time_may_be_over(bool byDequeue)
    {
        using MappedQueue<Fragile> queue = Open();
        using Subscription<Fragile> subscription = queue.Subscribe(
            "default", new SubscriptionOptions { OnExpired = ExpiredMode.DeadLetter });
        queue.Enqueue(Fragile.Of(0), new MessageProperties { TimeToLive = TimeSpan.FromMilliseconds(1) });
        await Task.Delay(20);
        Fragile.Arm(OwnCode.OnUnpacked, id: 0);
        Fragile? message = null;
        Assert.False(byDequeue ? subscription.TryDequeue(ref message) : subscription.TryReceive(out _));
        AssertLetter(subscription, "expired", attempts: 0);
    }

    [Fact]
    public void It_is_no_damage_and_goes_by_a_lease()
    {
        using MappedQueue<Fragile> queue = Open();
        EnqueueFive(queue, length: 0);
        Fragile.Arm(OwnCode.OnUnpacked, id: 0);
        Assert.Throws<FragileException>(() => Drain(queue));
        Assert.False(queue.SkipCorrupt());
        using Subscription<Fragile> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("thrown");
        Assert.Equal([1, 2, 3, 4], Drain(queue));
    }

    // What was taken before it, together with others, is the caller's and not lost.
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Those_taken_before_it_are_given(bool wasGivenBack, bool isExclusive)
    {
        using MappedQueue<Fragile> queue = Open();
        using Subscription<Fragile> subscription = queue.Subscribe("default", new SubscriptionOptions { Exclusive = isExclusive });
        EnqueueFive(queue, length: 0);
        if (wasGivenBack)
        {
            subscription.Receive().Abandon();
        }
        Fragile.Arm(OwnCode.OnUnpacked, id: 1);
        Span<Fragile?> messages = new Fragile?[5];
        Assert.Equal(1, subscription.TryDequeue(messages));
        Assert.Equal(0, messages[0]!.Id);
        Assert.Throws<FragileException>(() => subscription.TryDequeue(new Fragile?[5].AsSpan()));
        Fragile.Disarm();
        Assert.Equal(4, subscription.TryDequeue(messages));
        Assert.Equal([1, 2, 3, 4], messages[..4].ToArray().Select(static message => message!.Id));
    }

    [Fact]
    public void Nothing_is_unpacked_to_be_dropped_counted_or_skipped()
    {
        using (MappedQueue<Fragile> queue = _store.OpenQueue<Fragile>(
            "dropping", new QueueOptions { Capacity = 100_000, FullMode = FullMode.DropOldest }))
        {
            using Subscription<Fragile> subscription = queue.Subscribe("default");
            EnqueueFive(queue, 30_000);
            Fragile[] more = [Fragile.Of(5, 30_000), Fragile.Of(6, 30_000)];
            foreach (OwnCode code in OfUnpacking)
            {
                Fragile.Arm(code);
                queue.GetStatus();
                subscription.Receive().Abandon();
                Array.ForEach(more, message => queue.Enqueue(message));
                subscription.Seek(QueuePosition.Newest);
                subscription.Seek(DateTime.UtcNow);
                Array.ForEach(more, message => queue.Enqueue(message));
            }
            queue.Purge();
            Assert.Equal(0, queue.GetStatus().MessageCount);
        }
    }

    [Fact]
    public async Task What_a_handler_throws_goes_where_exceptions_go_that_nobody_observes()
    {
        using MappedQueue<Fragile> queue = _store.OpenQueue<Fragile>("limited", new QueueOptions { SoftLimit = 10_000 });
        var observed = new TaskCompletionSource();
        var other = new TaskCompletionSource();
        EventHandler<UnobservedTaskExceptionEventArgs> watch = (_, unobserved) =>
        {
            if (unobserved.Exception.InnerException is FragileException)
            {
                unobserved.SetObserved();
                observed.TrySetResult();
            }
        };
        queue.SoftLimitReached += static (_, _) => throw new FragileException(OwnCode.None);
        queue.SoftLimitReached += (_, _) => other.TrySetResult();
        TaskScheduler.UnobservedTaskException += watch;
        queue.Enqueue(Fragile.Of(0, 20_000));
        await other.Task.WaitAsync(TimeSpan.FromSeconds(30));
        for (int round = 0; round < 300 && !observed.Task.IsCompleted; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            await Task.Delay(10);
        }
        TaskScheduler.UnobservedTaskException -= watch;
        Assert.True(observed.Task.IsCompleted);
        queue.Enqueue(Fragile.Of(1));
        Assert.Equal([0, 1], Drain(queue));
    }

    private static void EnqueueFive(MappedQueue<Fragile> queue, int length)
    {
        for (int id = 0; id < 5; id++)
        {
            queue.Enqueue(Fragile.Of(id, length));
        }
    }

    private static long Commit(Lease<Fragile> lease)
    {
        Fragile? message = null;
        lease.ReadInto(ref message);
        lease.Commit();
        return message!.Id;
    }

    private static void AssertLetter(Subscription<Fragile> subscription, string reason, int attempts)
    {
        DeadLetter<Fragile>? letter = null;
        Assert.Equal(1, subscription.DeadLetters.Count);
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Contains(reason, letter!.Reason, StringComparison.Ordinal);
        Assert.Equal(attempts, letter.Attempts);
        Assert.Throws<FragileException>(() => letter.Message);
        Fragile.Disarm();
        Assert.Equal(0, letter.Message.Id);
        Assert.False(letter.PackedMessage.IsEmpty);
    }
}
