using System.Collections.Concurrent;
using System.Diagnostics;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>The loop that has messages handled: what is consumed, given back or set aside, and how it ends.</summary>
public sealed class ProcessTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _stop = new();

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public async Task One_after_the_other_all_are_handled_in_their_order(int batch)
    {
        const int Count = 200;
        using MappedQueue<Note> queue = Filled(Count);
        List<long> ids = [];
        int atOnce = 0;
        await StopsAsync(queue.ProcessAsync(
            async (note, _) =>
            {
                Assert.Equal(1, Interlocked.Increment(ref atOnce));
                await Task.Yield();
                ids.Add(note.Id);
                Interlocked.Decrement(ref atOnce);
                StopIf(ids.Count == Count);
            },
            new ProcessOptions { BatchSize = batch }, _stop.Token));
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), ids);
        Assert.Equal((0, 0), (queue.GetStatus().MessageCount, queue.GetStatus().Subscriptions[0].DeadLetters));
    }

    [Fact]
    public async Task So_many_at_once_as_the_options_say_and_each_once()
    {
        const int Count = 300, Concurrency = 8;
        using MappedQueue<Note> queue = Filled(Count);
        var ids = new ConcurrentBag<long>();
        var all = new Barrier();
        int atOnce = 0, most = 0;
        await StopsAsync(queue.ProcessAsync(
            async (note, _) =>
            {
                int now = Interlocked.Increment(ref atOnce);
                InterlockedMax(ref most, now);
                // Nobody goes on before so many are there: where fewer may be, this does not end.
                await all.ArriveAsync(Concurrency).WaitAsync(Patience);
                Interlocked.Decrement(ref atOnce);
                ids.Add(note.Id);
                StopIf(ids.Count == Count);
            },
            new ProcessOptions { Concurrency = Concurrency, BatchSize = 3 }, _stop.Token));
        Assert.Equal(Concurrency, most);
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), ids.Order());
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public async Task What_fails_comes_again_after_a_delay_that_doubles_and_then_becomes_a_dead_letter()
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 4 });
        List<long> times = [];
        Task processing = subscription.ProcessAsync(
            (note, _) =>
            {
                if (note.Id == 1)
                {
                    return default;
                }
                times.Add(Environment.TickCount64);
                throw new FormatException($"no {times.Count}");
            },
            new ProcessOptions { RetryDelay = TimeSpan.FromMilliseconds(100), MaxRetryDelay = TimeSpan.FromMilliseconds(200) },
            _stop.Token);
        await UntilAsync(() => subscription.DeadLetters.Count == 1);
        await _stop.CancelAsync();
        await StopsAsync(processing);
        Assert.Equal(4, times.Count);
        Assert.True(times[1] - times[0] >= 100 && times[2] - times[1] >= 200 && times[3] - times[2] >= 200, string.Join(" ", times));
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal((0, "System.FormatException: no 4", 4), (letter!.Message.Id, letter.Reason, letter.Attempts));
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void The_delay_doubles_up_to_its_limit_however_often()
    {
        var options = new ProcessOptions { RetryDelay = TimeSpan.FromSeconds(10) };
        Assert.Equal(
            [10, 20, 40, 60, 60], ((int[])[1, 2, 3, 4, int.MaxValue]).Select(attempts => options.DelayAfter(attempts).TotalSeconds));
        Assert.Equal(TimeSpan.FromHours(1), new ProcessOptions { RetryDelay = TimeSpan.FromHours(1) }.DelayAfter(3));
        Assert.Equal(TimeSpan.Zero, new ProcessOptions { RetryDelay = TimeSpan.Zero }.DelayAfter(5));
        Assert.Equal(TimeSpan.MaxValue, new ProcessOptions { RetryDelay = TimeSpan.MaxValue }.DelayAfter(5));
    }

    [Fact]
    public async Task What_cannot_be_unpacked_fails_like_a_handler()
    {
        using var queue = MappedQueue<Refuser>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Refuser { Id = 1 });
        using Subscription<Refuser> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        Task processing = subscription.ProcessAsync(static (_, _) => default, cancellationToken: _stop.Token);
        await UntilAsync(() => subscription.DeadLetters.Count == 1);
        await _stop.CancelAsync();
        await StopsAsync(processing);
        DeadLetter<Refuser>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal("System.InvalidOperationException: It refuses.", letter!.Reason);
    }

    [Fact]
    public async Task When_it_is_cancelled_handlers_see_the_token_and_what_they_did_not_finish_is_given_back_uncounted()
    {
        using MappedQueue<Note> queue = Filled(10);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Receive(subscription, 0, 1).Abandon();
        var begun = new SemaphoreSlim(0);
        var ended = new ConcurrentBag<long>();
        Task processing = subscription.ProcessAsync(
            async (note, cancellationToken) =>
            {
                begun.Release();
                try
                {
                    await Task.Delay(Timeout.Infinite, cancellationToken);
                }
                catch (OperationCanceledException) when (note.Id == 1)
                {
                    // This one comes to its end all the same.
                    await Task.Delay(50, CancellationToken.None);
                }
                finally
                {
                    ended.Add(note.Id);
                }
            },
            new ProcessOptions { Concurrency = 3, BatchSize = 5 }, _stop.Token);
        for (int count = 0; count < 3; count++)
        {
            Assert.True(await begun.WaitAsync(Patience));
        }
        Assert.False(processing.IsCompleted);
        await _stop.CancelAsync();
        OperationCanceledException thrown = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));
        Assert.True(processing.IsCanceled);
        Assert.Equal(_stop.Token, thrown.CancellationToken);
        Assert.Equal([0, 1, 2], ended.Order());
        Assert.Equal((9, 0), (queue.GetStatus().Subscriptions[0].Lag, queue.GetStatus().Subscriptions[0].InFlight));
        Receive(subscription, 0, 2).Commit();
        foreach (int id in (int[])[2, 3, 4, 5, 6, 7, 8, 9])
        {
            Receive(subscription, id, 1).Commit();
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_message_that_a_handler_gives_back_because_of_the_cancellation_is_not_taken_again(bool byHandlerToken)
    {
        using MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> subscription = queue.Subscribe("default");
        using var registered = new SemaphoreSlim(0);
        using var again = new SemaphoreSlim(0);
        Task processing = subscription.ProcessAsync(
            async (_, cancellationToken) =>
            {
                if (cancellationToken.IsCancellationRequested)
                {
                    again.Release();
                }
                // The token often tells this registration before the loop that takes messages; which is first depends on the threads.
                using CancellationTokenRegistration slow = cancellationToken.Register(() => again.Wait(300));
                registered.Release();
                while (!cancellationToken.IsCancellationRequested)
                {
                    await Task.Delay(1, CancellationToken.None);
                }
                slow.Unregister();
                throw new OperationCanceledException();
            },
            new ProcessOptions { Concurrency = 2, HandlerToken = byHandlerToken ? _stop.Token : default },
            byHandlerToken ? default : _stop.Token);
        Assert.True(await registered.WaitAsync(Patience) && await registered.WaitAsync(Patience));
        await _stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));
        Assert.Equal(0, again.CurrentCount);
        Assert.False(await registered.WaitAsync(0));
    }

    [Fact]
    public async Task A_cancellation_that_is_not_the_callers_is_a_failure()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        Task processing = subscription.ProcessAsync(
            static (_, _) => throw new TaskCanceledException("the web is slow"), cancellationToken: _stop.Token);
        await UntilAsync(() => subscription.DeadLetters.Count == 1);
        await _stop.CancelAsync();
        await StopsAsync(processing);
        DeadLetter<Note>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal("System.Threading.Tasks.TaskCanceledException: the web is slow", letter!.Reason);
    }

    [Fact]
    public async Task A_failure_after_the_cancellation_counts()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Task processing = subscription.ProcessAsync(
            (_, _) =>
            {
                _stop.Cancel();
                throw new FormatException();
            },
            new ProcessOptions { RetryDelay = TimeSpan.Zero }, _stop.Token);
        await StopsAsync(processing);
        Receive(subscription, 0, 2).Commit();
    }

    [Fact]
    public async Task A_token_that_was_cancelled_before_takes_nothing()
    {
        using MappedQueue<Note> queue = Filled(1);
        Task processing = queue.ProcessAsync(
            static (_, _) => throw new InvalidOperationException("called"), cancellationToken: new CancellationToken(canceled: true));
        Assert.True(processing.IsCanceled);
        Assert.Equal([0], Drain(queue));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_lease_of_a_long_handler_is_renewed_if_the_options_say_so(bool renews)
    {
        using MappedQueue<Note> queue = Filled(1), other = Open();
        // A loaded machine may let a timer be late by a second.
        var options = new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromSeconds(3) };
        using Subscription<Note> subscription = queue.Subscribe("default", options), hasty = other.Subscribe("default", options);
        bool wasTaken = false;
        CancellationToken seen = default;
        await StopsAsync(subscription.ProcessAsync(
            async (_, cancellationToken) =>
            {
                seen = cancellationToken;
                long began = Stopwatch.GetTimestamp();
                while (!wasTaken && Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(6))
                {
                    if (hasty.TryReceive(out Lease<Note> taken))
                    {
                        wasTaken = true;
                        taken.Commit();
                    }
                    await Task.Delay(5, CancellationToken.None);
                }
                StopIf(true);
            },
            new ProcessOptions { RenewLeases = renews }, _stop.Token));
        Assert.Equal(!renews, wasTaken);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    // Another consumer's time-out is shorter than the renewals are apart.
    [Fact]
    public async Task Who_has_lost_its_lease_is_told_by_its_token()
    {
        using MappedQueue<Note> queue = Filled(2), other = Open();
        using Subscription<Note> subscription = queue.Subscribe("default"), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        List<long> handled = [];
        await StopsAsync(subscription.ProcessAsync(
            async (note, cancellationToken) =>
            {
                if (note.Id == 0)
                {
                    Thread.Sleep(20);
                    using Lease<Note> taken = hasty.Receive(new CancellationTokenSource(Patience).Token);
                    await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.Delay(Patience, cancellationToken));
                    taken.Commit();
                    cancellationToken.ThrowIfCancellationRequested();
                }
                handled.Add(note.Id);
                StopIf(true);
            },
            new ProcessOptions { RenewInterval = TimeSpan.FromMilliseconds(100) }, _stop.Token));
        Assert.Equal([1], handled);
        Assert.Equal((0, 0), (queue.GetStatus().MessageCount, queue.GetStatus().Subscriptions[0].DeadLetters));
    }

    [Fact]
    public async Task What_no_handler_can_settle_ends_it_once_the_handlers_that_run_have_ended()
    {
        MappedQueue<Note> queue = Filled(2);
        using Subscription<Note> audit = queue.Subscribe("audit");
        var begun = new SemaphoreSlim(0);
        var release = new TaskCompletionSource();
        Task processing = audit.ProcessAsync(
            async (_, cancellationToken) =>
            {
                begun.Release();
                await release.Task;
                Assert.False(cancellationToken.IsCancellationRequested);
            },
            new ProcessOptions { Concurrency = 2 });
        await begun.WaitAsync(Patience);
        await begun.WaitAsync(Patience);
        queue.DeleteSubscription("audit");
        release.SetResult();
        Assert.Equal(
            QueueError.SubscriptionGone, (await Assert.ThrowsAsync<QueueException>(() => processing.WaitAsync(Patience))).Reason);

        Task waiting = queue.ProcessAsync(static (_, _) => default);
        await UntilAsync(() => queue.GetStatus().MessageCount == 0);
        queue.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(Patience));
        AssertNothingOpen();
    }

    [Fact]
    public async Task An_exclusive_subscription_is_handled_in_strict_order_failures_too()
    {
        const int Count = 20;
        using MappedQueue<Note> queue = Filled(Count);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { Exclusive = true });
        List<long> ids = [];
        int tries = 0;
        await StopsAsync(subscription.ProcessAsync(
            (note, _) =>
            {
                if (note.Id == 3 && ++tries < 3)
                {
                    throw new FormatException();
                }
                ids.Add(note.Id);
                StopIf(ids.Count == Count);
                return default;
            },
            new ProcessOptions { BatchSize = 5, RetryDelay = TimeSpan.FromMilliseconds(20) }, _stop.Token));
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), ids);
        Assert.Contains(
            "exclusive", Assert.Throws<ArgumentException>(() =>
            {
                _ = subscription.ProcessAsync(static (_, _) => default, new ProcessOptions { Concurrency = 2 });
            }).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_loops_on_one_handle_and_one_on_another_share_the_messages_and_each_is_handled_once()
    {
        const int Count = 1000;
        using MappedQueue<Note> queue = Open(), other = Open();
        var ids = new ConcurrentBag<long>();
        ValueTask Handle(Note note, CancellationToken cancellationToken)
        {
            if (note.Id % 50 == 7 && ids.Count < Count / 2)
            {
                throw new FormatException();
            }
            ids.Add(note.Id);
            return default;
        }
        var options = new ProcessOptions { Concurrency = 3, BatchSize = 4, RetryDelay = TimeSpan.FromMilliseconds(1) };
        using Subscription<Note> shared = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue }),
            apart = other.Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue });
        Task[] loops = [.. ((Subscription<Note>[])[shared, shared, apart]).Select(one => one.ProcessAsync(Handle, options, _stop.Token))];
        for (int id = 0; id < Count; id++)
        {
            queue.Enqueue(Of(id));
        }
        await UntilAsync(() => queue.GetStatus().MessageCount == 0);
        await _stop.CancelAsync();
        await StopsAsync(Task.WhenAll(loops));
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), ids.Order());
    }

    [Fact]
    public void Options_out_of_range_say_which_and_what_to_do()
    {
        using MappedQueue<Note> queue = Open();
        (ProcessOptions Options, string[] Says)[] wrong =
        [
            (new() { Concurrency = 0 }, ["ProcessOptions.Concurrency", "1 to 1,024"]),
            (new() { Concurrency = 1025 }, ["ProcessOptions.Concurrency", "1025"]),
            (new() { BatchSize = 0 }, ["ProcessOptions.BatchSize", "1 to 1,023"]),
            (new() { RetryDelay = TimeSpan.FromTicks(-1) }, ["ProcessOptions.RetryDelay", "zero or longer"]),
            (new() { RenewInterval = TimeSpan.Zero }, ["ProcessOptions.RenewInterval", "longer than zero"]),
            (new() { RetryDelay = TimeSpan.FromSeconds(2), MaxRetryDelay = TimeSpan.FromSeconds(1) },
                ["MaxRetryDelay is 00:00:01", "RetryDelay is 00:00:02", "leave it out"]),
        ];
        foreach ((ProcessOptions options, string[] says) in wrong)
        {
            string message = Assert.Throws<ArgumentException>(() =>
            {
                _ = queue.ProcessAsync(static (_, _) => default, options);
            }).Message;
            Assert.All(says, said => Assert.Contains(said, message, StringComparison.Ordinal));
        }
        Assert.Throws<ArgumentNullException>(() =>
        {
            _ = queue.ProcessAsync(null!);
        });
    }

    private void StopIf(bool isDone)
    {
        if (isDone)
        {
            _stop.Cancel();
        }
    }

    private static async Task StopsAsync(Task processing) =>
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));

    private static async Task UntilAsync(Func<bool> isMet)
    {
        long began = Stopwatch.GetTimestamp();
        while (!isMet())
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < Patience, "It has not come to that.");
            await Task.Delay(5);
        }
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (int now = most; now < value; now = most)
        {
            Interlocked.CompareExchange(ref most, value, now);
        }
    }

    // Lets the first so many go on when the last of them has come; those that come later go on at once.
    private sealed class Barrier
    {
        private readonly TaskCompletionSource _full = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _arrived;

        public Task ArriveAsync(int count)
        {
            if (Interlocked.Increment(ref _arrived) == count)
            {
                _full.SetResult();
            }
            return _full.Task;
        }
    }
}
