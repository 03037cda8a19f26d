using System.Collections.Concurrent;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>The loop that has messages of several lanes handled, the most urgent first.</summary>
public sealed class LaneProcessingTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _stop = new();

    private MappedLanes<Note> OpenLanes() => MappedLanes<Note>.Open(Site.Queue, 3, new QueueOptions { SegmentSize = 1 << 16 });

    [Fact]
    public async Task The_most_urgent_message_of_the_moment_is_handled_next_and_all_are_consumed()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        lanes.Enqueue(Of(20), 2);
        lanes.Enqueue(Of(21), 2);
        lanes.Enqueue(Of(10), 1);
        List<long> ids = [];
        await StopsAsync(subscription.ProcessAsync(
            (note, _) =>
            {
                ids.Add(note.Id);
                if (note.Id == 20)
                {
                    lanes.Enqueue(Of(0), 0);
                }
                StopIf(ids.Count == 4);
                return default;
            },
            cancellationToken: _stop.Token));
        Assert.Equal([10, 20, 0, 21], ids);
        Assert.Equal(0, Enumerable.Range(0, 3).Sum(lane => lanes[lane].GetStatus().MessageCount));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task What_is_enqueued_to_any_lane_meanwhile_is_handled(int lane)
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        var handled = new TaskCompletionSource<long>();
        Task processing = subscription.ProcessAsync(
            (note, _) =>
            {
                handled.TrySetResult(note.Id);
                return default;
            },
            cancellationToken: _stop.Token);
        await Task.Delay(20);
        using MappedLanes<Note> other = OpenLanes();
        other.Enqueue(Of(7), lane);
        Assert.Equal(7, await handled.Task.WaitAsync(Patience));
        await _stop.CancelAsync();
        await StopsAsync(processing);
    }

    [Fact]
    public async Task What_fails_becomes_a_dead_letter_of_its_lane_and_others_are_handled_meanwhile()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default", new SubscriptionOptions { MaxAttempts = 2 });
        lanes.Enqueue(Of(1), 1);
        lanes.Enqueue(Of(2), 2);
        var failures = new ConcurrentQueue<ProcessOutcome>();
        List<long> ids = [];
        Task processing = subscription.ProcessAsync(
            (note, _) =>
            {
                ids.Add(note.Id);
                return note.Id == 1 ? throw new FormatException("no") : default;
            },
            new ProcessOptions { RetryDelay = TimeSpan.FromMilliseconds(50), Failed = failure => failures.Enqueue(failure.Outcome) },
            _stop.Token);
        await UntilAsync(() => failures.Count == 2);
        await _stop.CancelAsync();
        await StopsAsync(processing);
        Assert.Equal([1, 2, 1], ids);
        Assert.Equal([ProcessOutcome.GivenBack, ProcessOutcome.DeadLettered], failures);
        Assert.Equal((0, 1, 0), (subscription[0].DeadLetters.Count, subscription[1].DeadLetters.Count, subscription[2].DeadLetters.Count));
        DeadLetter<Note>? letter = null;
        Assert.True(subscription[1].DeadLetters.TryTake(ref letter));
        Assert.Equal("System.FormatException: no", letter.Reason);
    }

    [Fact]
    public async Task A_cancellation_gives_back_uncounted_to_the_lane_what_no_handler_has_finished()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        lanes[1].EnqueueBatch([Of(10), Of(11), Of(12)]);
        lanes.Enqueue(Of(20), 2);
        var begun = new TaskCompletionSource();
        Task processing = subscription.ProcessLeasesAsync(
            async (_, stopping) =>
            {
                begun.TrySetResult();
                await Task.Delay(Timeout.Infinite, stopping);
            },
            new ProcessOptions { BatchSize = 3 }, _stop.Token);
        await begun.Task.WaitAsync(Patience);
        await _stop.CancelAsync();
        await StopsAsync(processing);
        List<(long, int)> left = [];
        while (subscription.TryReceive(out Lease<Note> lease))
        {
            left.Add((lease.Read().Id, lease.Attempt));
            lease.Commit();
        }
        Assert.Equal([(10, 1), (11, 1), (12, 1), (20, 1)], left);
    }

    [Fact]
    public async Task A_batch_is_of_one_lane()
    {
        using MappedLanes<Note> lanes = OpenLanes();
        using LaneSubscription<Note> subscription = lanes.Subscribe("default");
        lanes[2].EnqueueBatch([Of(20), Of(21)]);
        lanes[0].EnqueueBatch([Of(0), Of(1), Of(2)]);
        List<string> batches = [];
        await StopsAsync(subscription.ProcessBatchesAsync(
            (leases, _) =>
            {
                batches.Add(string.Join(' ', leases.Select(static lease => lease.Read().Id)));
                StopIf(batches.Count == 2);
                return default;
            },
            new ProcessOptions { BatchSize = 100 }, _stop.Token));
        Assert.Equal(["0 1 2", "20 21"], batches);
        Assert.Equal(0, lanes[0].GetStatus().MessageCount + lanes[2].GetStatus().MessageCount);
    }

    [Fact]
    public async Task It_ends_with_the_lanes_and_refuses_options_that_do_not_fit()
    {
        MappedLanes<Note> lanes = OpenLanes();
        LaneSubscription<Note> subscription = lanes.Subscribe("default");
        Assert.Throws<ArgumentNullException>(() => { _ = subscription.ProcessAsync(null!); });
        Assert.Throws<ArgumentException>(
            () => { _ = subscription.ProcessAsync(static (_, _) => default, new ProcessOptions { Concurrency = 0 }); });
        Task processing = subscription.ProcessAsync(static (_, _) => default, cancellationToken: _stop.Token);
        await Task.Delay(20);
        Assert.False(processing.IsCompleted);
        lanes.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => processing.WaitAsync(Patience));
        AssertNothingOpen();
    }

    private void StopIf(bool isTime)
    {
        if (isTime)
        {
            _stop.Cancel();
        }
    }

    private static async Task StopsAsync(Task processing) =>
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => processing.WaitAsync(Patience));

    private static async Task UntilAsync(Func<bool> isTrue)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (!isTrue())
        {
            await Task.Delay(10, patience.Token);
        }
    }
}
