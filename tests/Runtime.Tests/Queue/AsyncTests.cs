using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class AsyncTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task What_is_there_comes_at_once_and_costs_nothing()
    {
        using MappedQueue<Note> queue = Open();
        Note note = Of(1);
        long allocated = 0;
        for (int round = 0; round < 200; round++)
        {
            // The first rounds open segments and compile.
            allocated = round == 100 ? GC.GetAllocatedBytesForCurrentThread() : allocated;
            ValueTask<QueuePosition> sent = queue.EnqueueAsync(note);
            ValueTask<Note> taken = queue.DequeueAsync(note);
            Assert.True(sent.IsCompletedSuccessfully && taken.IsCompletedSuccessfully);
            note = await taken;
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - allocated);
        Assert.Equal((1, "note 1"), (note.Id, note.Text));
    }

    [Fact]
    public async Task A_waiting_call_gets_what_is_enqueued_later_in_the_instance_it_was_given()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        var mine = new Note();
        Task<Note> waiting = queue.DequeueAsync(mine).AsTask();
        await Task.Delay(20);
        Assert.False(waiting.IsCompleted);
        queue.Enqueue(Of(3));
        Assert.Same(mine, await waiting.WaitAsync(Patience));
        Assert.Equal(3, mine.Id);

        Task<Lease<Note>> leasing = subscription.ReceiveAsync().AsTask();
        Assert.False(leasing.IsCompleted);
        await queue.EnqueueAsync(Of(4));
        using Lease<Note> lease = await leasing.WaitAsync(Patience);
        Note? note = null;
        lease.ReadInto(ref note);
        lease.Commit();
        Assert.Equal(4, note!.Id);
    }

    [Fact]
    public async Task A_message_given_back_goes_to_who_waits()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1));
        Lease<Note> first = await subscription.ReceiveAsync();
        Task<Lease<Note>> waiting = subscription.ReceiveAsync().AsTask();
        Assert.False(waiting.IsCompleted);
        first.Abandon();
        Lease<Note> second = await waiting.WaitAsync(Patience);
        Assert.Equal((first.Position, 2), (second.Position, second.Attempt));
        second.Commit();
    }

    [Fact]
    public async Task What_follows_a_wait_runs_on_the_pool_and_not_on_the_thread_that_waits()
    {
        using MappedQueue<Note> queue = Open();
        async Task<(bool Pool, string? Name)> Follow()
        {
            await queue.DequeueAsync().ConfigureAwait(false);
            return (Thread.CurrentThread.IsThreadPoolThread, Thread.CurrentThread.Name);
        }
        Task<(bool Pool, string? Name)> following = Follow();
        Assert.False(following.IsCompleted);
        queue.Enqueue(Of(1));
        (bool pool, string? name) = await following.WaitAsync(Patience);
        Assert.True(pool);
        Assert.NotEqual(WaitThread.Name, name);
    }

    [Fact]
    public async Task Reading_all_ends_by_cancellation_and_gives_each_message_an_instance_of_its_own()
    {
        using MappedQueue<Note> queue = Open();
        using var cancellation = new CancellationTokenSource();
        List<Note> notes = [];
        var reading = Task.Run(async () =>
        {
            await foreach (Note note in queue.ReadAllAsync(cancellation.Token))
            {
                notes.Add(note);
                if (notes.Count == 10)
                {
                    cancellation.CancelAfter(20);
                }
            }
        });
        for (int id = 0; id < 10; id++)
        {
            await Task.Delay(id % 3);
            queue.Enqueue(Of(id));
        }
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.WaitAsync(Patience));
        Assert.Equal(Enumerable.Range(0, 10).Select(static id => (long)id), notes.Select(static note => note.Id));
        Assert.Equal(10, notes.Distinct(ReferenceEqualityComparer.Instance).Count());
        queue.Enqueue(Of(10));
        Assert.Equal([10], Drain(queue));
    }

    [Fact]
    public async Task Who_stops_reading_has_taken_nothing_ahead()
    {
        using MappedQueue<Note> queue = Open();
        queue.EnqueueBatch([Of(1), Of(2), Of(3)]);
        await foreach (Note note in queue.ReadAllAsync())
        {
            if (note.Id == 2)
            {
                break;
            }
        }
        Assert.Equal([3], Drain(queue));
    }

    [Fact]
    public async Task Four_producers_and_four_consumers_that_wait_for_each_other_deliver_every_message_once()
    {
        const int Each = 3000;
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 4000 });
        using var cancellation = new CancellationTokenSource();
        int[] seen = new int[4 * Each];
        int taken = 0;
        Task[] consumers = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            Note? note = null;
            while (true)
            {
                note = await queue.DequeueAsync(note, cancellation.Token);
                Interlocked.Increment(ref seen[note.Id]);
                if (Interlocked.Increment(ref taken) == seen.Length)
                {
                    cancellation.Cancel();
                }
            }
        }))];
        await Task.WhenAll(Enumerable.Range(0, 4).Select(producer => Task.Run(async () =>
        {
            for (int id = producer * Each; id < (producer + 1) * Each; id++)
            {
                await queue.EnqueueAsync(Of(id, 10 + (id % 90)));
            }
        }))).WaitAsync(Patience);
        foreach (Task consumer in consumers)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => consumer.WaitAsync(Patience));
        }
        Assert.All(seen, static times => Assert.Equal(1, times));
        Assert.Empty(Drain(queue));
    }
}
