using System.Collections.Concurrent;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>The loop as a host uses it: leases and batches, handlers that may finish, and word of what failed.</summary>
public sealed class ProcessLeaseTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _stop = new();

    [Fact]
    public async Task A_handler_of_leases_ends_its_own_or_has_it_ended()
    {
        using MappedQueue<Note> queue = Filled(3);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var attempts = new ConcurrentQueue<(long, int)>();
        var failures = new ConcurrentQueue<ProcessFailure>();
        await StopsAsync(subscription.ProcessLeasesAsync(
            (lease, _) =>
            {
                attempts.Enqueue((lease.Read().Id, lease.Attempt));
                switch (lease.Read().Id)
                {
                    case 0:
                        lease.Commit();
                        break;
                    case 1:
                        lease.DeadLetter("not this one");
                        throw new FormatException("it is settled");
                    case 2 when lease.Attempt == 1:
                        lease.Abandon(TimeSpan.Zero);
                        break;
                    default:
                        _stop.Cancel();
                        break;
                }
                return default;
            },
            new ProcessOptions { Failed = failures.Enqueue }, _stop.Token));
        Assert.Equal([(0, 1), (1, 1), (2, 1), (2, 2)], attempts);
        Assert.Equal((0, 1), (queue.GetStatus().MessageCount, queue.GetStatus().Subscriptions[0].DeadLetters));
        Assert.Empty(failures);
    }

    [Fact]
    public async Task Of_a_batch_that_failed_each_message_is_handled_alone()
    {
        using MappedQueue<Note> queue = Filled(6);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        List<string> batches = [];
        await StopsAsync(subscription.ProcessBatchesAsync(
            (leases, _) =>
            {
                long[] ids = [.. leases.Select(static lease => lease.Read().Id)];
                batches.Add(string.Join(" ", ids));
                if (ids.Contains(1))
                {
                    throw new FormatException("one");
                }
                if (ids is [5])
                {
                    _stop.Cancel();
                }
                return default;
            },
            new ProcessOptions { BatchSize = 6, RetryDelay = TimeSpan.Zero }, _stop.Token));
        Assert.Equal("0 1 2 3 4 5", batches[0]);
        Assert.Equal(["0", "1", "2", "3", "4", "5"], batches.Skip(1).Order());
        Assert.Equal((0, 1), (queue.GetStatus().MessageCount, queue.GetStatus().Subscriptions[0].DeadLetters));
    }

    [Fact]
    public async Task With_a_token_of_their_own_handlers_finish_while_the_rest_of_the_batch_is_free_already()
    {
        using MappedQueue<Note> queue = Filled(4), other = Open();
        using Subscription<Note> subscription = queue.Subscribe("default"), second = other.Subscribe("default");
        using var handling = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        var finish = new TaskCompletionSource();
        Task processing = subscription.ProcessLeasesAsync(
            async (_, cancellationToken) =>
            {
                begun.SetResult();
                await finish.Task;
                Assert.False(cancellationToken.IsCancellationRequested);
            },
            new ProcessOptions { BatchSize = 4, HandlerToken = handling.Token }, _stop.Token);
        await begun.Task.WaitAsync(Patience);
        await _stop.CancelAsync();
        using var enough = new CancellationTokenSource(Patience);
        foreach (int id in (int[])[1, 2, 3])
        {
            Lease<Note> lease = await second.ReceiveAsync(enough.Token);
            Assert.Equal((id, 1), (lease.Read().Id, lease.Attempt));
            lease.Commit();
        }
        Assert.False(processing.IsCompleted);
        finish.SetResult();
        await StopsAsync(processing);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public async Task The_handlers_token_ends_handlers_and_taking()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default");
        using var handling = new CancellationTokenSource();
        await StopsAsync(subscription.ProcessAsync(
            async (_, cancellationToken) =>
            {
                await handling.CancelAsync();
                await Task.Delay(Patience, cancellationToken);
            },
            new ProcessOptions { HandlerToken = handling.Token }));
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Assert.Equal(1, lease.Attempt);
        lease.Commit();
    }

    [Fact]
    public async Task Each_failure_is_told_with_what_became_of_the_message()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        List<ProcessFailure> failures = [];
        await StopsAsync(subscription.ProcessAsync(
            static (_, _) => throw new FormatException("no"),
            new ProcessOptions
            {
                RetryDelay = TimeSpan.Zero,
                Failed = failure =>
                {
                    failures.Add(failure);
                    if (failures.Count == 2)
                    {
                        _stop.Cancel();
                    }
                },
            },
            _stop.Token));
        Assert.Equal(
            [(1, "no", ProcessOutcome.GivenBack), (2, "no", ProcessOutcome.DeadLettered)],
            failures.Select(static one => (one.Attempt, one.Exception.Message, one.Outcome)));
    }

    [Fact]
    public async Task A_lost_lease_is_told()
    {
        using MappedQueue<Note> queue = Filled(1), other = Open();
        using Subscription<Note> subscription = queue.Subscribe("default"), hasty = other.Subscribe(
            "default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        List<ProcessOutcome> outcomes = [];
        await StopsAsync(subscription.ProcessAsync(
            (_, _) =>
            {
                Thread.Sleep(20);
                hasty.Receive(new CancellationTokenSource(Patience).Token).Commit();
                _stop.Cancel();
                return default;
            },
            new ProcessOptions { Failed = failure => outcomes.Add(failure.Outcome) }, _stop.Token));
        Assert.Equal([ProcessOutcome.LeaseLost], outcomes);
    }

    [Fact]
    public void A_lease_that_is_given_back_uncounted_was_not_delivered()
    {
        using MappedQueue<Note> queue = Filled(1);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Assert.True(lease.TryAbandonUncounted());
        Assert.False(lease.TryAbandonUncounted());
        Assert.True(subscription.TryReceive(out Lease<Note> again));
        Assert.Equal(1, again.Attempt);
        again.Commit();
        Assert.False(again.TryAbandonUncounted());
        Assert.Throws<InvalidOperationException>(() => default(Lease<Note>).TryAbandonUncounted());
    }

    private static async Task StopsAsync(Task processing) =>
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));
}
