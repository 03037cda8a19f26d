using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Calls that wait end by their token, and have done nothing then.</summary>
public sealed class TokenTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 10_000 };

    public static TheoryData<string> Ways { get; } = ["message", "properties", "level", "batch", "batch with properties"];

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_blocked_enqueue_ends_by_its_token_says_who_holds_the_room_and_has_enqueued_nothing(string way)
    {
        using MappedQueue<Note> queue = Open(Bounded);
        int fitted = Fill(queue);
        using var ending = new CancellationTokenSource();
        Exception? thrown = null;
        var producer = new Thread(() => thrown = Record.Exception(() => Enqueue(queue, way, ending.Token)));
        producer.Start();
        Assert.False(producer.Join(50));
        ending.Cancel();
        Assert.True(producer.Join(Patience));

        OperationCanceledException cancelled = Assert.IsType<OperationCanceledException>(thrown);
        Assert.Equal(ending.Token, cancelled.CancellationToken);
        Assert.Contains(Site.Queue, cancelled.Message, StringComparison.Ordinal);
        Assert.Contains("'default'", cancelled.Message, StringComparison.Ordinal);
        Assert.Equal(Enumerable.Range(0, fitted).Select(static id => (long)id), Drain(queue));
        Enqueue(queue, way, CancellationToken.None);
        Assert.Equal([99], Drain(queue));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void With_a_token_that_was_cancelled_before_nothing_is_enqueued(string way)
    {
        using MappedQueue<Note> queue = Open(Bounded);
        Assert.Throws<OperationCanceledException>(() => Enqueue(queue, way, new CancellationToken(canceled: true)));
        Assert.Empty(Drain(queue));
    }

    [Fact]
    public void A_message_of_fixed_size_and_one_of_bytes_end_by_their_token_too()
    {
        using var ticks = MappedQueue<Tick>.Open(Site.Queue, Bounded);
        while (ticks.TryEnqueue(new Tick { Id = 1 }))
        {
        }
        using var frames = MappedQueue<RawMessage>.Open(Path.Combine(Site.Root, "frames"), Bounded);
        while (frames.TryEnqueue(new byte[900]))
        {
        }
        using var ending = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        Assert.Throws<OperationCanceledException>(() => ticks.Enqueue(new Tick { Id = 2 }, ending.Token));
        Assert.Throws<OperationCanceledException>(() => ticks.EnqueueBatch([new Tick(), new Tick()], ending.Token));
        Assert.Throws<OperationCanceledException>(() => frames.Enqueue(new byte[900], ending.Token));
        using var later = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        Assert.Throws<OperationCanceledException>(() => frames.Enqueue(new byte[900], later.Token));
    }

    // A healthy process that does not give the append lock back would make the call wait for seconds.
    [Fact]
    public void Who_waits_for_the_append_lock_ends_by_the_token()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        other.Enqueue(Of(1));
        other.Producer.Appender.Open(Patience);
        using var ending = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        OperationCanceledException cancelled = Assert.Throws<OperationCanceledException>(() => queue.Enqueue(Of(2), ending.Token));
        Assert.Contains("Nothing was enqueued", cancelled.Message, StringComparison.Ordinal);
        other.Producer.Appender.ReleaseLock();
        Assert.Equal([1], Drain(queue));
    }

    [Fact]
    public async Task A_flush_ends_by_its_token_and_the_next_one_flushes()
    {
        using MappedQueue<Note> queue = Open();
        Assert.Throws<OperationCanceledException>(() => queue.Flush(new CancellationToken(canceled: true)));
        for (int round = 0; round < 100; round++)
        {
            queue.Enqueue(Of(round, 10_000));
            using var ending = new CancellationTokenSource();
            Task<Exception?> flush = Task.Run<Exception?>(() => Record.Exception(() => queue.Flush(ending.Token)));
            await ending.CancelAsync();
            Exception? thrown = await flush.WaitAsync(Patience);
            Assert.True(thrown is null or OperationCanceledException, $"{thrown}");
        }
        QueuePosition last = queue.Enqueue(Of(100));
        using var open = new CancellationTokenSource();
        queue.Flush(open.Token);
        Assert.True(queue.DurablePosition > last);
    }

    [Fact]
    public async Task A_token_alone_is_enough_for_a_call_that_awaits()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Newest);
        using var ending = new CancellationTokenSource();
        Task[] waiting =
        [
            queue.DequeueAsync(ending.Token).AsTask(), subscription.DequeueAsync(ending.Token).AsTask(),
            cursor.ReadAsync(ending.Token).AsTask(), queue.DequeueAsync(null, ending.Token).AsTask(),
        ];
        await ending.CancelAsync();
        foreach (Task one in waiting)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one.WaitAsync(Patience));
        }
    }

    private static QueuePosition Enqueue(MappedQueue<Note> queue, string way, CancellationToken token) => way switch
    {
        "message" => queue.Enqueue(Of(99, 1000), token),
        "properties" => queue.Enqueue(Of(99, 1000), new MessageProperties { Label = "late" }, token),
        "level" => queue.Enqueue(Of(99, 1000), Durability.Commit, token),
        "batch" => queue.EnqueueBatch([Of(99, 1000)], token),
        _ => queue.EnqueueBatch([Of(99, 1000)], new MessageProperties { Label = "late" }, token),
    };

    private static int Fill(MappedQueue<Note> queue)
    {
        int fitted = 0;
        while (queue.TryEnqueue(Of(fitted, 1000)))
        {
            fitted++;
        }
        return fitted;
    }
}
