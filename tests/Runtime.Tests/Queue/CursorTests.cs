using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class CursorTests : QueueFixture
{
    [Fact]
    public void A_cursor_reads_everything_and_takes_nothing()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 200);
        queue.EnqueueBatch([Of(200), Of(201, 200_000)]);
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        Assert.Equal(Enumerable.Range(0, 202).Select(static id => (long)id), cursor.Select(static note => note.Id));
        Assert.Empty(cursor);
        Enqueue(queue, 202, 1);
        Assert.Equal(202, Assert.Single(cursor).Id);
        Assert.Equal(203, queue.GetStatus().MessageCount);
        Assert.Equal(203, Drain(queue).Length);
    }

    [Fact]
    public void It_fills_the_instance_and_tells_positions_to_go_back_to()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 5);
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        var note = new Note();
        Note? filled = note;
        var positions = new List<QueuePosition>();
        while (cursor.TryRead(ref filled, out QueuePosition position))
        {
            Assert.Same(note, filled);
            positions.Add(position);
        }
        cursor.Seek(positions[3]);
        Assert.True(cursor.TryRead(ref filled));
        Assert.Equal((3, positions[4]), (note.Id, cursor.Position));
        cursor.Seek(QueuePosition.Newest);
        Assert.False(cursor.TryRead(ref filled));
        using Subscription<Note> subscription = queue.Subscribe("default");
        subscription.Seek(positions[2]);
        Assert.Equal([2, 3, 4], Drain(queue));
        Assert.Throws<QueueException>(() => cursor.Seek(new QueuePosition(positions[2].Value + 8)));
        Assert.Throws<QueueException>(() => queue.OpenCursor(new QueuePosition(1)));
    }

    [Fact]
    public void What_is_gone_is_said_to_be_gone_and_the_oldest_goes_on()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 10);
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        Note? note = null;
        Assert.True(cursor.TryRead(ref note));
        QueuePosition stood = cursor.Position;
        for (int id = 10; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 1000));
            queue.TryDequeue(ref note);
        }
        // Also what the pool has not got round to deleting: from here on the log's beginning stays where it is.
        queue.Purge();
        queue.Enqueue(Of(1000));
        QueueException gone = Assert.Throws<QueueException>(() => cursor.TryRead(ref note));
        Assert.Contains($"position {stood} is no longer on disk", gone.Message);
        Assert.Equal(stood, cursor.Position);
        Assert.Throws<QueueException>(() => cursor.TryRead(ref note));
        Assert.Throws<QueueException>(() => cursor.Seek(stood));
        cursor.Seek(QueuePosition.Oldest);
        Assert.Contains(cursor.Position.ToString(), gone.Message);
        Assert.Equal(1000, cursor.Last().Id);
    }

    // Segments are used anew all the time under a cursor that reads slower than messages come: it says so,
    // and never shows one message as another.
    [Fact]
    public void A_cursor_that_is_overtaken_shows_whole_messages_in_order_or_throws()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = false });
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        using var done = new CancellationTokenSource();
        var producer = new Thread(() => UntilDisposed(() => SendAndReceive(queue, done)));
        producer.Start();
        long last = -1, seen = 0, gone = 0;
        Note? note = null;
        while (!done.IsCancellationRequested)
        {
            try
            {
                if (cursor.TryRead(ref note))
                {
                    Assert.True(note!.Id > last && note.Text == Of(note.Id, 500).Text, $"{note.Id} after {last}: {note.Text}");
                    (last, seen) = (note.Id, seen + 1);
                    Thread.SpinWait(2000);
                }
            }
            catch (QueueException exception) when (exception is not QueueCorruptException)
            {
                gone++;
                cursor.Seek(QueuePosition.Oldest);
            }
        }
        producer.Join();
        Assert.True(seen > 0 && gone > 0, $"{seen} seen, {gone} times overtaken");
    }

    [Fact]
    public async Task It_waits_for_messages()
    {
        using MappedQueue<Note> queue = Open();
        QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Newest);
        Task<Note> asynchronous = cursor.ReadAsync().AsTask();
        await Task.Delay(20);
        Assert.False(asynchronous.IsCompleted);
        queue.Enqueue(Of(1));
        Assert.Equal(1, (await asynchronous.WaitAsync(TimeSpan.FromSeconds(30))).Id);
        Task<long> waiting = Task.Run(() =>
        {
            Note? note = null;
            cursor.Read(ref note);
            return note!.Id;
        });
        await Task.Delay(20);
        queue.Enqueue(Of(2));
        Assert.Equal(2, await waiting.WaitAsync(TimeSpan.FromSeconds(30)));
        using var stop = new CancellationTokenSource(10);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cursor.ReadAsync(cancellationToken: stop.Token).AsTask());
        Note? none = null;
        Assert.Throws<OperationCanceledException>(() => cursor.Read(ref none, stop.Token));
        Task<Note> ended = cursor.ReadAsync().AsTask();
        cursor.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ended.WaitAsync(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void Its_end_gives_everything_back()
    {
        MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 3);
        QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest), left = queue.OpenCursor(QueuePosition.Oldest);
        Assert.Equal(3, left.Count());
        cursor.Dispose();
        cursor.Dispose();
        Note? note = null;
        Assert.Throws<ObjectDisposedException>(() => cursor.TryRead(ref note));
        Assert.Throws<ObjectDisposedException>(() => cursor.Seek(QueuePosition.Oldest));
        queue.Dispose();
        Assert.Throws<ObjectDisposedException>(() => left.TryRead(ref note));
        left.Dispose();
        AssertNothingOpen();
    }

    private static void SendAndReceive(MappedQueue<Note> queue, CancellationTokenSource done)
    {
        Note? note = null;
        for (int id = 0; id < 40_000; id++)
        {
            queue.Enqueue(Of(id, 500));
            queue.TryDequeue(ref note);
        }
        done.Cancel();
    }

    private static void Enqueue(MappedQueue<Note> queue, int first, int count)
    {
        for (int id = first; id < first + count; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
    }

    // A test that fails disposes the queue under the thread.
    private static void UntilDisposed(Action work)
    {
        try
        {
            work();
        }
        catch (ObjectDisposedException)
        {
        }
    }
}
