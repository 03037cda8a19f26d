using System.Diagnostics;
using System.Runtime.CompilerServices;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class DurabilityTests : QueueFixture
{
    private const int Waiters = 64;

    private static QueueOptions At(Durability durability) => new() { SegmentSize = 1 << 16, Durability = durability };

    [Fact]
    public void What_is_enqueued_to_the_page_cache_is_not_synced()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1));
        queue.EnqueueBatch([Of(2), Of(3)]);
        Assert.Equal(0, queue.Sync.Count);
        Assert.Equal(SegmentFormat.PageSize, queue.Sync.Log.Durable);
    }

    [Fact]
    public async Task What_is_enqueued_with_commit_is_durable_when_the_call_ends()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Commit));
        queue.Enqueue(Of(1));
        AssertAllDurable(queue);
        Assert.True(queue.TryEnqueue(Of(2)));
        AssertAllDurable(queue);
        queue.EnqueueBatch([Of(3), Of(4, 100_000)]);
        AssertAllDurable(queue);
        await queue.EnqueueAsync(Of(5));
        AssertAllDurable(queue);
        await queue.EnqueueBatchAsync([Of(6), Of(7)]);
        AssertAllDurable(queue);
        Assert.True(queue.AsChannelWriter().TryWrite(Of(8)));
        AssertAllDurable(queue);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], Drain(queue));
    }

    // A message of 1,000 bytes and more each: 64 times around a segment.
    [Fact]
    public void Commit_goes_on_over_many_segments_that_consumers_pass_meanwhile()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Commit));
        Note? note = null;
        for (int id = 0; id < 500; id++)
        {
            queue.Enqueue(Of(id, 2000));
            AssertAllDurable(queue);
            Assert.True(queue.TryDequeue(ref note) && note!.Id == id);
        }
    }

    [Fact]
    public void Threads_that_commit_at_the_same_time_share_syncs()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Commit));
        queue.Enqueue(Of(0));
        long before = queue.Sync.Count;
        Thread[] threads = [.. Enumerable.Range(1, Waiters).Select(id => new Thread(() => queue.Enqueue(Of(id))))];
        // While this is held no sync ends, and appends within a segment go on.
        lock (Pinned(queue.Store.Segments))
        {
            Array.ForEach(threads, static thread => thread.Start());
            Assert.True(SpinWait.SpinUntil(() => queue.GetStatus().MessageCount == Waiters + 1, Processes.Peer.Patience));
        }
        Array.ForEach(threads, static thread => thread.Join());
        AssertAllDurable(queue);
        // The one that was held, and one for all whom it did not cover.
        Assert.InRange(queue.Sync.Count - before, 1, 2);
        Assert.Equal(Enumerable.Range(0, Waiters + 1).Select(static id => (long)id), Drain(queue).Order());
    }

    [Fact]
    public async Task Calls_that_are_awaited_at_the_same_time_share_syncs_and_take_one_thread()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Commit));
        var all = new List<Task>();
        for (int id = 0; id < 1000; id++)
        {
            all.Add(queue.EnqueueAsync(Of(id)).AsTask());
        }
        await Task.WhenAll(all);
        AssertAllDurable(queue);
        Assert.InRange(queue.Sync.Count, 1, 500);
        Assert.Equal(Enumerable.Range(0, 1000).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public async Task Threads_and_awaited_calls_may_commit_side_by_side()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Commit));
        var thread = new Thread(() =>
        {
            for (int id = 0; id < 200; id++)
            {
                queue.Enqueue(Of(id));
            }
        });
        thread.Start();
        for (int id = 200; id < 400; id++)
        {
            await queue.EnqueueAsync(Of(id));
        }
        thread.Join();
        AssertAllDurable(queue);
        Assert.Equal(400, Drain(queue).Length);
    }

    // What another handle has brought to the disk need not be brought there again.
    [Fact]
    public void Two_handles_know_of_each_other_s_syncs()
    {
        using MappedQueue<Note> one = Open(At(Durability.Commit));
        using MappedQueue<Note> other = Open();
        other.Enqueue(Of(1));
        one.Enqueue(Of(2));
        Assert.Equal(one.Sync.Log.Durable, other.Sync.Log.Durable);
        other.Sync.Wait();
        AssertAllDurable(other);
    }

    [Fact]
    public async Task What_is_enqueued_at_intervals_is_durable_soon()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Interval) with { FlushInterval = TimeSpan.FromMilliseconds(20) });
        for (int round = 0; round < 3; round++)
        {
            queue.Enqueue(Of(round));
            WaitUntilAllDurable(queue);
        }
        queue.EnqueueBatch([Of(3)]);
        WaitUntilAllDurable(queue);
        await queue.EnqueueAsync(Of(4));
        WaitUntilAllDurable(queue);
    }

    [Fact]
    public void A_flusher_that_has_nothing_to_flush_does_nothing()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Interval) with { FlushInterval = TimeSpan.FromMilliseconds(1) });
        queue.Enqueue(Of(1));
        WaitUntilAllDurable(queue);
        // The one that found it may still be at its end.
        Thread.Sleep(50);
        long syncs = queue.Sync.Count;
        Thread.Sleep(100);
        Assert.Equal(syncs, queue.Sync.Count);
    }

    [Fact]
    public void Many_messages_of_one_interval_share_a_sync()
    {
        using MappedQueue<Note> queue = Open(At(Durability.Interval) with { FlushInterval = TimeSpan.FromMinutes(10) });
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id));
        }
        Assert.Equal(0, queue.Sync.Count);
    }

    [Fact]
    public void What_the_interval_still_owes_is_durable_when_the_queue_is_disposed()
    {
        using MappedQueue<Note> reader = Open();
        using (MappedQueue<Note> queue = Open(At(Durability.Interval) with { FlushInterval = TimeSpan.FromMinutes(10) }))
        {
            queue.Enqueue(Of(1));
            Assert.NotEqual(reader.Sync.Log.Published, reader.Sync.Log.Durable);
        }
        AssertAllDurable(reader);
    }

    [Fact]
    public async Task Who_awaits_a_sync_of_a_queue_that_is_disposed_hears_of_it()
    {
        MappedQueue<Note> queue = Open(At(Durability.Commit));
        var producer = Task.Run(async () =>
        {
            for (int id = 0; ; id++)
            {
                await queue.EnqueueAsync(Of(id));
            }
        });
        Assert.True(SpinWait.SpinUntil(() => queue.Sync.Count > 10, Processes.Peer.Patience), "Nothing is synced.");
        queue.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => producer);
        AssertNothingOpen();
    }

    [Theory]
    [InlineData(Durability.PageCache)]
    [InlineData(Durability.Commit)]
    public void An_interval_without_the_level_that_flushes_at_intervals_is_refused(Durability durability)
    {
        ArgumentException refused = Assert.Throws<ArgumentException>(
            () => Open(new QueueOptions { Durability = durability, FlushInterval = TimeSpan.FromSeconds(1) }));
        Assert.Contains("FlushInterval", refused.Message, StringComparison.Ordinal);
        Assert.Contains($"Durability is {durability}", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Levels_and_intervals_that_cannot_be_are_refused()
    {
        Assert.Contains("Durability", Assert.Throws<ArgumentException>(() => Open(At((Durability)7))).Message, StringComparison.Ordinal);
        QueueOptions options = At(Durability.Interval) with { FlushInterval = TimeSpan.Zero };
        Assert.Contains("FlushInterval", Assert.Throws<ArgumentException>(() => Open(options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_flush_makes_durable_what_was_enqueued_before()
    {
        using MappedQueue<Note> queue = Open();
        using MappedQueue<Note> other = Open();
        QueuePosition start = queue.DurablePosition;
        queue.Enqueue(Of(1));
        other.Enqueue(Of(2));
        Assert.Equal(start, queue.DurablePosition);
        queue.Flush();
        Assert.True(queue.DurablePosition > start);
        Assert.Equal(queue.GetStatus().Next, other.DurablePosition);
        queue.Enqueue(Of(3));
        await queue.FlushAsync();
        Assert.Equal(queue.GetStatus().Next, queue.DurablePosition);
        long syncs = queue.Sync.Count;
        queue.Flush();
        await queue.FlushAsync();
        Assert.Equal(syncs, queue.Sync.Count);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.FlushAsync(new CancellationToken(canceled: true)).AsTask());
        queue.Dispose();
        Assert.Throws<ObjectDisposedException>(() => queue.Flush());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queue.FlushAsync().AsTask());
        Assert.Throws<ObjectDisposedException>(() => queue.DurablePosition);
    }

    [Fact]
    public async Task A_message_may_have_another_level_than_its_queue()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1), Durability.PageCache);
        Assert.Equal(0, queue.Sync.Count);
        queue.Enqueue(Of(2), Durability.Commit);
        AssertAllDurable(queue);
        await queue.EnqueueAsync(Of(3), Durability.Commit);
        AssertAllDurable(queue);
        queue.Enqueue(Of(4), Durability.Interval);
        WaitUntilAllDurable(queue);
        using (MappedQueue<Note> committing = Open(At(Durability.Commit)))
        {
            committing.Enqueue(Of(5), Durability.PageCache);
            await committing.EnqueueAsync(Of(6), Durability.PageCache);
            Assert.Equal(0, committing.Sync.Count);
        }
        Assert.Throws<ArgumentException>(() => queue.Enqueue(Of(7), (Durability)7));
        await Assert.ThrowsAsync<ArgumentException>(() => queue.EnqueueAsync(Of(7), (Durability)7).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => queue.EnqueueAsync(Of(7), Durability.Commit, new CancellationToken(true)).AsTask());
        Assert.Equal([1, 2, 3, 4, 5, 6], Drain(queue));
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_pinned")]
    private static extern ref Dictionary<long, (Segment Segment, int Pins)> Pinned(SegmentCache table);

    private static void AssertAllDurable(MappedQueue<Note> queue) => Assert.Equal(queue.Sync.Log.Published, queue.Sync.Log.Durable);

    private static void WaitUntilAllDurable(MappedQueue<Note> queue)
    {
        var waited = Stopwatch.StartNew();
        while (queue.Sync.Log.Published != queue.Sync.Log.Durable)
        {
            Assert.True(waited.Elapsed < Processes.Peer.Patience, "It was not flushed.");
            Thread.Sleep(1);
        }
    }
}
