using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A producer without room is told which subscription holds it.</summary>
public sealed class RoomHolderTests : QueueFixture
{
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 1 << 18 };

    [Fact]
    public void The_exception_names_the_subscription_and_says_that_nobody_consumes_it()
    {
        using MappedQueue<Note> queue = Open(Bounded with { FullMode = FullMode.Fail });
        Fill(queue);
        QueueFullException exception = Assert.Throws<QueueFullException>(() => queue.Enqueue(Of(1, 1000)));
        RoomHolder holder = exception.HeldBy!;
        Assert.Equal(("audit", 0), (holder.Subscription, holder.Consumers));
        Assert.InRange(holder.Bytes, 1 << 17, 1 << 18);
        Assert.InRange(DateTime.UtcNow - holder.Since!.Value, TimeSpan.Zero, TimeSpan.FromHours(1));
        Assert.Contains($"'audit' has {holder.Bytes} bytes not consumed since ", exception.Message, StringComparison.Ordinal);
        Assert.Contains("no process consumes it", exception.Message, StringComparison.Ordinal);
        Assert.Equal(holder.Bytes, queue.GetStatus().Subscriptions.Single(static one => one.Name == "audit").Bytes);
    }

    [Fact]
    public void One_that_is_consumed_is_told_as_such()
    {
        using MappedQueue<Note> queue = Open(Bounded with { FullMode = FullMode.Fail });
        Fill(queue);
        Note? note = null;
        using Subscription<Note> audit = queue.Subscribe("audit");
        Assert.True(audit.TryDequeue(ref note));
        while (queue.TryEnqueue(Of(1, 1000)))
        {
            Drain(queue);
        }
        Assert.Contains(
            "1 handle consumes it", Assert.Throws<QueueFullException>(() => queue.Enqueue(Of(1, 1000))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Who_waits_is_told_by_an_event_and_by_the_cancellation()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        Fill(queue);
        var told = new TaskCompletionSource<RoomHolder>();
        queue.RoomAwaited += (_, holder) => told.TrySetResult(holder);
        using var cancelling = new CancellationTokenSource();
        Task waiting = queue.EnqueueAsync(Of(1, 1000), cancelling.Token).AsTask();
        Assert.Equal("audit", (await told.Task.WaitAsync(TimeSpan.FromSeconds(30))).Subscription);
        await cancelling.CancelAsync();
        OperationCanceledException exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.Contains("'audit'", exception.Message, StringComparison.Ordinal);
        Assert.Equal((cancelling.Token, true), (exception.CancellationToken, waiting.IsCanceled));
    }

    [Fact]
    public async Task Who_waits_with_a_thread_is_told_by_the_event()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        Fill(queue);
        var told = new TaskCompletionSource<RoomHolder>();
        queue.RoomAwaited += (_, holder) => told.TrySetResult(holder);
        Task waiting = Task.Run(() => queue.Enqueue(Of(1, 1000)));
        Assert.Equal("audit", (await told.Task.WaitAsync(TimeSpan.FromSeconds(30))).Subscription);
        Assert.True(queue.DeleteSubscription("audit"));
        await waiting.WaitAsync(TimeSpan.FromSeconds(30));
    }

    private static void Fill(MappedQueue<Note> queue)
    {
        queue.Subscribe("audit").Dispose();
        while (queue.TryEnqueue(Of(1, 1000)))
        {
            Drain(queue);
        }
    }
}
