using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class AsyncEnqueueTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly QueueOptions Tight = new() { SegmentSize = 1 << 16, Capacity = 1000 };

    [Fact]
    public async Task An_enqueue_waits_for_room_and_has_packed_the_message_before()
    {
        using MappedQueue<Note> queue = Open(Tight);
        Note note = Of(0, 600);
        await queue.EnqueueAsync(note);
        note.Id = 1;
        Task waiting = queue.EnqueueAsync(note).AsTask();
        note.Id = 2;
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted);
        Note? taken = null;
        Assert.True(queue.TryDequeue(ref taken) && taken!.Id == 0);
        await waiting.WaitAsync(Patience);
        Assert.Equal([1], Drain(queue));
    }

    [Fact]
    public async Task A_batch_waits_for_room_for_all_of_it()
    {
        using MappedQueue<Note> queue = Open(Tight);
        await queue.EnqueueBatchAsync([]);
        await queue.EnqueueBatchAsync([Of(0, 320), Of(1, 320)]);
        Task waiting = queue.EnqueueBatchAsync(new[] { Of(2, 320), Of(3, 320) }).AsTask();
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note) && note!.Id == 0);
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted, "There is room for one of the two.");
        Assert.True(queue.TryDequeue(ref note) && note!.Id == 1);
        await waiting.WaitAsync(Patience);
        Assert.Equal([2, 3], Drain(queue));
        await Assert.ThrowsAsync<ArgumentNullException>(() => queue.EnqueueBatchAsync(new[] { Of(4), null! }).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.EnqueueBatchAsync(new[] { Of(4, 600), Of(5, 600) }).AsTask());
        Assert.Empty(Drain(queue));
    }

    [Fact]
    public async Task A_cancelled_enqueue_has_enqueued_nothing()
    {
        using MappedQueue<Note> queue = Open(Tight);
        using var cancellation = new CancellationTokenSource();
        await queue.EnqueueAsync(Of(0, 600));
        Task waiting = queue.EnqueueAsync(Of(1, 600), cancellation.Token).AsTask();
        Assert.False(waiting.IsCompleted);
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        Assert.True(queue.EnqueueAsync(Of(2), cancellation.Token).IsCanceled);
        Assert.Equal([0], Drain(queue));
    }

    [Fact]
    public async Task What_cannot_be_enqueued_is_refused_as_without_await()
    {
        using MappedQueue<Note> queue = Open(Tight with { FullMode = FullMode.Fail });
        await queue.EnqueueAsync(Of(0, 600));
        await Assert.ThrowsAsync<QueueFullException>(() => queue.EnqueueAsync(Of(1, 600)).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.EnqueueAsync(Of(1, 2000)).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>(() => queue.EnqueueAsync(null!).AsTask());
        Assert.Equal([0], Drain(queue));
    }

    [Fact]
    public async Task Messages_larger_than_segments_make_their_segments_on_the_way()
    {
        using MappedQueue<Note> queue = Open();
        Task[] sending = [.. Enumerable.Range(0, 8).Select(id => queue.EnqueueAsync(Of(id, 200_000)).AsTask())];
        List<long> ids = [];
        for (int i = 0; i < 8; i++)
        {
            Note note = await queue.DequeueAsync().AsTask().WaitAsync(Patience);
            Assert.Equal(Of(note.Id, 200_000).Text, note.Text);
            ids.Add(note.Id);
        }
        await Task.WhenAll(sending);
        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7], ids);
    }

    // Some find no segment made ahead, and the pool makes it; those behind them find it made.
    [Fact]
    public async Task Calls_that_are_not_awaited_are_enqueued_in_their_order()
    {
        const int count = 4000, length = 4000;
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16 });
        Task[] sending = [.. Enumerable.Range(0, count).Select(id => queue.EnqueueAsync(Of(id, length)).AsTask())];
        await Task.WhenAll(sending).WaitAsync(Patience);
        Assert.Equal(Enumerable.Range(0, count).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public async Task A_small_message_does_not_overtake_a_large_one_that_waits_for_room()
    {
        using MappedQueue<Note> queue = Open(Tight);
        await queue.EnqueueAsync(Of(0, 600));
        using var cancellation = new CancellationTokenSource();
        ValueTask<QueuePosition>[] waiting =
        [
            queue.EnqueueAsync(Of(1, 600)), queue.EnqueueAsync(Of(2)), queue.EnqueueAsync(Of(3), cancellation.Token),
            queue.EnqueueBatchAsync(new[] { Of(4), Of(5) }), queue.EnqueueAsync(Of(6)),
        ];
        Task<QueuePosition>[] tasks = [.. waiting.Select(static task => task.AsTask())];
        await Task.Delay(50);
        Assert.DoesNotContain(tasks, static task => task.IsCompleted);
        cancellation.Cancel();
        OperationCanceledException said = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => tasks[2].WaitAsync(Patience));
        Assert.Contains("for earlier calls of this handle. Nothing was enqueued.", said.Message, StringComparison.Ordinal);
        Assert.True(tasks[2].IsCanceled);
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note) && note!.Id == 0);
        await Task.WhenAll(tasks[0], tasks[1], tasks[3], tasks[4]).WaitAsync(Patience);
        Assert.Equal([1, 2, 4, 5, 6], Drain(queue));
    }

    [Fact]
    public async Task All_that_wait_for_their_turn_end_with_the_queue()
    {
        MappedQueue<Note> queue = Open(Tight);
        await queue.EnqueueAsync(Of(0, 600));
        Task[] waiting = [.. Enumerable.Range(1, 20).Select(id => queue.EnqueueAsync(Of(id, 600)).AsTask())];
        queue.Dispose();
        foreach (Task task in waiting)
        {
            await Assert.ThrowsAsync<ObjectDisposedException>(() => task.WaitAsync(Patience));
        }
    }

    [Fact]
    public async Task A_call_that_is_refused_lets_the_next_one_try()
    {
        using MappedQueue<Note> queue = Open(Tight);
        await queue.EnqueueAsync(Of(0, 600));
        Task waiting = queue.EnqueueAsync(Of(1, 600)).AsTask(), large = queue.EnqueueAsync(Of(2, 2000)).AsTask(),
            last = queue.EnqueueAsync(Of(3)).AsTask();
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note) && note!.Id == 0);
        await waiting.WaitAsync(Patience);
        await Assert.ThrowsAsync<ArgumentException>(() => large.WaitAsync(Patience));
        await last.WaitAsync(Patience);
        Assert.Equal([1, 3], Drain(queue));
    }
}
