using System.Threading.Channels;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class ChannelTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly QueueOptions Tight = new() { SegmentSize = 1 << 16, Capacity = 1000 };

    [Fact]
    public async Task A_reader_reads_tries_and_waits()
    {
        using MappedQueue<Note> queue = Open();
        ChannelReader<Note> reader = queue.AsChannelReader();
        Assert.False(reader.TryRead(out _));
        Task<bool> waiting = reader.WaitToReadAsync().AsTask();
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted);
        queue.Enqueue(Of(1));
        Assert.True(await waiting.WaitAsync(Patience));
        ValueTask<bool> again = reader.WaitToReadAsync();
        Assert.True(again.IsCompletedSuccessfully && await again, "Waiting takes nothing.");
        Assert.True(reader.TryRead(out Note? first));
        Task<Note> reading = reader.ReadAsync().AsTask();
        Assert.False(reading.IsCompleted);
        queue.Enqueue(Of(2));
        Note second = await reading.WaitAsync(Patience);
        Assert.Equal((1, 2), (first.Id, second.Id));
        Assert.NotSame(first, second);
        Assert.False(reader.CanCount || reader.CanPeek || reader.Completion.IsCompleted);
    }

    [Fact]
    public async Task A_reader_s_waits_can_be_cancelled()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        ChannelReader<Note> reader = subscription.AsChannelReader();
        using var cancellation = new CancellationTokenSource();
        Task waiting = reader.WaitToReadAsync(cancellation.Token).AsTask();
        Task reading = reader.ReadAllAsync(cancellation.Token).GetAsyncEnumerator().MoveNextAsync().AsTask();
        Assert.False(waiting.IsCompleted || reading.IsCompleted);
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Patience));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.WaitAsync(Patience));
        queue.Enqueue(Of(1));
        Assert.True(reader.WaitToReadAsync(cancellation.Token).IsCanceled);
        Assert.Equal([1], Drain(queue));
    }

    [Fact]
    public async Task A_writer_writes_tries_and_waits_for_room_for_what_was_refused()
    {
        using MappedQueue<Note> queue = Open(Tight);
        ChannelWriter<Note> writer = queue.AsChannelWriter();
        Assert.True(await writer.WaitToWriteAsync().AsTask().WaitAsync(Patience));
        Assert.True(writer.TryWrite(Of(1, 500)));
        Assert.True(writer.TryWrite(Of(2, 100)));
        Assert.False(writer.TryWrite(Of(3, 600)));
        Task<bool> waiting = writer.WaitToWriteAsync().AsTask();
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted, "There is room, but not for the message that was refused.");
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        Assert.True(await waiting.WaitAsync(Patience));
        Assert.True(writer.TryWrite(Of(3, 600)));
        Task writing = writer.WriteAsync(Of(4, 600)).AsTask();
        Assert.False(writing.IsCompleted);
        Assert.True(queue.TryDequeue(ref note) && queue.TryDequeue(ref note) && note!.Id == 3);
        await writing.WaitAsync(Patience);
        Assert.Equal([4], Drain(queue));
    }

    [Fact]
    public async Task A_completed_writer_writes_no_more_and_nobody_else_is_touched()
    {
        using MappedQueue<Note> queue = Open();
        ChannelWriter<Note> writer = queue.AsChannelWriter(), other = queue.AsChannelWriter();
        Assert.True(writer.TryWrite(Of(1)));
        writer.Complete();
        Assert.False(writer.TryWrite(Of(2)));
        Assert.False(await writer.WaitToWriteAsync());
        await Assert.ThrowsAsync<ChannelClosedException>(() => writer.WriteAsync(Of(2)).AsTask());
        Assert.False(writer.TryComplete());
        Assert.Throws<ChannelClosedException>(() => writer.Complete());
        Assert.True(other.TryWrite(Of(3)));
        Assert.False(queue.AsChannelReader().Completion.IsCompleted);
        Assert.Equal([1, 3], Drain(queue));
    }

    [Fact]
    public async Task A_writer_completed_with_an_error_says_so()
    {
        using MappedQueue<Note> queue = Open();
        ChannelWriter<Note> writer = queue.AsChannelWriter();
        var error = new FormatException("no more");
        Assert.True(writer.TryComplete(error));
        Assert.Same(error, await Assert.ThrowsAsync<FormatException>(() => writer.WaitToWriteAsync().AsTask()));
        Assert.Same(error, (await Assert.ThrowsAsync<ChannelClosedException>(() => writer.WriteAsync(Of(1)).AsTask())).InnerException);
    }

    [Fact]
    public async Task Completing_and_cancelling_end_a_wait_for_room()
    {
        using MappedQueue<Note> queue = Open(Tight);
        ChannelWriter<Note> writer = queue.AsChannelWriter();
        Assert.True(writer.TryWrite(Of(1, 900)) && !writer.TryWrite(Of(2, 900)));
        using var cancellation = new CancellationTokenSource();
        Task<bool> cancelled = writer.WaitToWriteAsync(cancellation.Token).AsTask(), completed = writer.WaitToWriteAsync().AsTask();
        Assert.False(cancelled.IsCompleted || completed.IsCompleted);
        cancellation.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(Patience));
        Assert.False(completed.IsCompleted);
        writer.Complete();
        Assert.False(await completed.WaitAsync(Patience));
    }
}
