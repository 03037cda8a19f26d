using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Calls that are given a time end when it is over, with nothing taken; and what gives a new instance each time.</summary>
public sealed class TimeoutTests : QueueFixture
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20), Long = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task When_the_time_is_over_nothing_was_taken()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Newest);
        Note? note = null;
        var properties = new MessageProperties();
        Assert.False(queue.Dequeue(ref note, Short));
        Assert.False(queue.Dequeue(ref note, TimeSpan.Zero));
        Assert.False(queue.Dequeue(ref note, properties, Short));
        Assert.False(queue.Dequeue(out note, Short));
        Assert.False(subscription.Dequeue(out note, Short));
        Assert.False(cursor.Read(ref note, Short));
        Assert.Null(subscription.Receive(Short));
        Assert.Null(await subscription.ReceiveAsync(Short));
        Assert.Null(await subscription.ReceiveAsync(TimeSpan.Zero));
        foreach (TimeSpan time in (TimeSpan[])[TimeSpan.Zero, Short])
        {
            RequireNone(await queue.DequeueAsync(time));
            RequireNone(await queue.DequeueAsync(new Note(), time));
            RequireNone(await queue.DequeueAsync(new Note(), properties, time));
            RequireNone(await subscription.DequeueAsync(time));
            RequireNone(await subscription.DequeueAsync(new Note(), time));
            RequireNone(await subscription.DequeueAsync(new Note(), properties, time));
            RequireNone(await cursor.ReadAsync(time));
            RequireNone(await cursor.ReadAsync(new Note(), time));
        }
        queue.Enqueue(Of(1));
        Assert.Equal([1], Drain(queue));
    }

    [Fact]
    public async Task What_is_there_or_comes_in_time_is_taken_whatever_the_time()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        foreach (TimeSpan time in (TimeSpan[])[TimeSpan.Zero, Long, TimeSpan.MaxValue, Timeout.InfiniteTimeSpan])
        {
            for (int id = 0; id < 8; id++)
            {
                queue.Enqueue(Of(id));
            }
            Note? note = null;
            Assert.True(queue.Dequeue(ref note, time));
            Assert.True(subscription.Dequeue(out note, time));
            Assert.Equal(1, note.Id);
            Commit(subscription.Receive(time), 2);
            Commit(await subscription.ReceiveAsync(time), 3);
            Assert.True(queue.Dequeue(out note, time));
            Assert.Equal(4, note.Id);
            Assert.True(cursor.Read(ref note, time));
            var reused = new Note();
            Assert.Equal(5, (await queue.DequeueAsync(time)).Message!.Id);
            Assert.Same(reused, (await subscription.DequeueAsync(reused, time)).Message);
            Assert.Equal(6, reused.Id);
            Assert.True((await queue.DequeueAsync(reused, new MessageProperties(), time)).TryGet(out note));
            Assert.Equal(7, note.Id);
            Assert.Equal(1, (await cursor.ReadAsync(time)).Message!.Id);
            Assert.Same(reused, (await cursor.ReadAsync(reused, time)).Message);
            cursor.Seek(QueuePosition.Newest);
        }
        Task<Lease<Note>?> later = Task.Run(() => subscription.Receive(Long));
        Task<Lease<Note>?> awaited = subscription.ReceiveAsync(Long).AsTask();
        Task<MessageOrNone<Note>> read = cursor.ReadAsync(Long).AsTask();
        await Task.Delay(50);
        queue.EnqueueBatch([Of(1), Of(1)]);
        Commit(await later, 1);
        Commit(await awaited, 1);
        Assert.Equal(1, (await read).Message!.Id);
        Task<MessageOrNone<Note>> dequeued = queue.DequeueAsync(Long).AsTask();
        await Task.Delay(50);
        queue.Enqueue(Of(2));
        Assert.Equal(2, (await dequeued).Message!.Id);
    }

    [Fact]
    public async Task A_token_comes_before_the_time_and_a_negative_time_is_none()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        using var ending = new CancellationTokenSource(Short);
        Note? note = null;
        Assert.ThrowsAny<OperationCanceledException>(() => queue.Dequeue(ref note, Long, ending.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => subscription.Receive(Long, ending.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => subscription.ReceiveAsync(Long, ending.Token).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.DequeueAsync(Long, ending.Token).AsTask());
        Assert.ThrowsAny<OperationCanceledException>(() => queue.Dequeue(ref note, TimeSpan.Zero, ending.Token));
        queue.Enqueue(Of(1));
        Assert.ThrowsAny<OperationCanceledException>(() => queue.Dequeue(ref note, ending.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => queue.Dequeue(ref note, Long, ending.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => subscription.Receive(ending.Token));
        Assert.Equal([1], Drain(queue));
        var negative = TimeSpan.FromSeconds(-2);
        Assert.Throws<ArgumentOutOfRangeException>(() => queue.Dequeue(ref note, negative));
        Assert.Throws<ArgumentOutOfRangeException>(() => subscription.Receive(negative));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => subscription.ReceiveAsync(negative).AsTask());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => subscription.DequeueAsync(negative).AsTask());
    }

    [Fact]
    public async Task Lanes_and_transactions_are_given_a_time_too()
    {
        using var lanes = MappedLanes<Note>.Open(Path.Combine(Site.Root, "lanes"), 2, new QueueOptions { SegmentSize = 1 << 16 });
        using LaneSubscription<Note> urgent = lanes.Subscribe("default");
        Note? note = null;
        Assert.False(urgent.Dequeue(ref note, Short));
        Assert.Null(urgent.Receive(Short));
        RequireNone(await urgent.DequeueAsync(Short));
        RequireNone(await urgent.DequeueAsync(new Note(), Short));
        lanes.Enqueue(Of(1), lane: 1);
        lanes.Enqueue(Of(0), lane: 0);
        lanes.Enqueue(Of(2), lane: 1);
        Assert.True(urgent.TryDequeue(out note));
        Assert.Equal(0, note.Id);
        Commit(urgent.Receive(Short), 1);
        Assert.Equal(2, urgent.Dequeue().Id);
        lanes.Enqueue(Of(3), lane: 0);
        Assert.Equal(3, (await urgent.DequeueAsync(Long)).Message!.Id);

        using var store = MappedStore.Open(Path.Combine(Site.Root, "store"), new QueueOptions { SegmentSize = 1 << 16 });
        MappedQueue<Note> queue = store.OpenQueue<Note>("from");
        using Subscription<Note> from = queue.Subscribe("default");
        using QueueTransaction transaction = store.Begin();
        Assert.False(transaction.Receive(from, ref note, Short));
        RequireNone(await transaction.ReceiveAsync(from, Short));
        RequireNone(await transaction.ReceiveAsync(from, new Note(), Short));
        queue.EnqueueBatch([Of(4), Of(5)]);
        Assert.Equal(4, (await transaction.ReceiveAsync(from, Long)).Message!.Id);
        Assert.Equal(5, (await transaction.ReceiveAsync(from, note, Long)).Message!.Id);
        transaction.Commit();
        Assert.Empty(Drain(queue));
    }

    [Fact]
    public async Task A_default_struct_is_told_from_none()
    {
        using var counts = MappedQueue<Count>.Open(Path.Combine(Site.Root, "counts"), new QueueOptions { SegmentSize = 1 << 16 });
        RequireNone(await counts.DequeueAsync(TimeSpan.Zero));
        counts.Enqueue(default);
        Assert.True((await counts.DequeueAsync(Long)).TryGet(out Count count));
        Assert.Equal(0, count.Value);
        // What was written before there was a time means the same as before.
        counts.EnqueueBatch([new Count { Value = 1 }, new Count { Value = 2 }]);
        Assert.Equal(1, (await counts.DequeueAsync(default)).Value);
        Assert.Equal(2, (await counts.DequeueAsync(default, CancellationToken.None)).Value);
    }

    [Fact]
    public void What_is_taken_without_an_instance_is_a_new_one_each_time()
    {
        using MappedQueue<Note> queue = Filled(4);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Note first = queue.Dequeue(), second = subscription.Dequeue();
        using Lease<Note> lease = subscription.Receive();
        Note read = lease.Read(), again = lease.Read();
        Assert.Equal([0, 1, 2, 2], new[] { first, second, read, again }.Select(static note => note.Id));
        Assert.Equal(4, new[] { first, second, read, again }.Distinct().Count());
    }

    [Fact]
    public async Task What_is_disposed_without_a_thread_is_disposed()
    {
        MappedQueue<Note> queue = Open();
        Subscription<Note> subscription = queue.Subscribe("default");
        await subscription.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => subscription.Seek(QueuePosition.Oldest));
        await queue.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => queue.Enqueue(Of(1)));
        AssertNothingOpen();
        var store = MappedStore.Open(Path.Combine(Site.Root, "store"));
        await store.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => store.Begin());
    }

    private static void RequireNone<T>(MessageOrNone<T> message)
    {
        Assert.False(message.HasMessage);
        Assert.False(message.TryGet(out T? none));
        Assert.Equal(default, none);
    }

    private static void Commit(Lease<Note>? lease, long id)
    {
        Assert.NotNull(lease);
        Assert.Equal(id, lease.Value.Read().Id);
        lease.Value.Commit();
    }
}

[QueueMessage]
internal partial struct Count
{
    public int Value { get; set; }
}
