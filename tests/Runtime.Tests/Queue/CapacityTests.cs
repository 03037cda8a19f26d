using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class CapacityTests : QueueFixture
{
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 10_000 };

    [Fact]
    public void A_full_queue_refuses_at_once_where_that_was_chosen()
    {
        using MappedQueue<Note> queue = Open(Bounded with { FullMode = FullMode.Fail });
        int fitted = Fill(queue);
        Assert.InRange(fitted, 8, 10);
        Assert.Contains("10000", Assert.Throws<QueueFullException>(() => queue.Enqueue(Of(99, 1000))).Message, StringComparison.Ordinal);
        Assert.Throws<QueueFullException>(() => queue.EnqueueBatch([Of(99, 1000), Of(100, 1000)]));
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        queue.Enqueue(Of(fitted, 1000));
        Assert.Equal(Enumerable.Range(1, fitted).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public async Task Who_waits_for_room_spins_as_long_as_asked_for()
    {
        using MappedQueue<Note> queue = Open(Bounded with { SpinDuration = TimeSpan.FromMinutes(5) });
        int fitted = Fill(queue);
        Task producer = Task.Run(() => queue.Enqueue(Of(fitted, 1000)));
        await Task.Delay(100);
        Assert.False(queue.Store.Control.Room.IsSleptOn);
        long[] taken = Drain(queue);
        await producer.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(Enumerable.Range(0, fitted + 1).Select(static id => (long)id), taken.Concat(Drain(queue)));
    }

    [Fact]
    public void A_full_queue_waits_for_its_consumers()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        int fitted = Fill(queue);
        Assert.False(queue.TryEnqueue(Of(99, 1000)));
        using var done = new ManualResetEventSlim();
        var producer = new Thread(() =>
        {
            queue.Enqueue(Of(fitted, 1000));
            done.Set();
        });
        producer.Start();
        Assert.False(done.Wait(100));
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        Assert.True(done.Wait(TimeSpan.FromSeconds(30)));
        producer.Join();
        Assert.Equal(fitted, Drain(queue).Length);
    }

    [Fact]
    public void A_leased_message_takes_its_room_until_it_is_committed()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Fill(queue);
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Assert.False(queue.TryEnqueue(Of(99, 1000)));
        lease.Commit();
        Assert.True(queue.TryEnqueue(Of(99, 1000)));
    }

    // A message that does not fit where the tail is goes to the next segment, before its room is judged; no
    // consumer has looked at the padding yet.
    [Theory]
    [InlineData(FullMode.Fail, 0)]
    [InlineData(FullMode.Wait, 1)]
    [InlineData(FullMode.Fail, 1)]
    [InlineData(FullMode.Wait, 2)]
    [InlineData(FullMode.Wait, 3)]
    public async Task Where_nothing_waits_padding_takes_no_room(FullMode mode, int way)
    {
        using MappedQueue<Note> queue = Open(Bounded with { Capacity = 50_000, FullMode = mode });
        for (int id = 0; id < 12; id++)
        {
            Note note = Of(id, 40_000);
            Task enqueued = way switch
            {
                0 => Task.Run(() => Assert.True(queue.TryEnqueue(note))),
                1 => Task.Run(() => queue.Enqueue(note)),
                2 => queue.EnqueueAsync(note).AsTask(),
                _ => Task.Run(() => queue.EnqueueBatch([Of(id, 20_000), Of(id, 20_000)])),
            };
            await enqueued.WaitAsync(TimeSpan.FromSeconds(10));
            Assert.InRange(queue.GetStatus().Bytes, 40_000, 50_000);
            Note? taken = null;
            for (int i = 0; i < (way == 3 ? 2 : 1); i++)
            {
                Assert.True(queue.TryDequeue(ref taken));
                Assert.Equal(id, taken!.Id);
            }
        }
    }

    [Fact]
    public void Padding_behind_what_one_subscription_still_needs_makes_no_room()
    {
        using MappedQueue<Note> queue = Open(Bounded with { Capacity = 50_000 });
        using Subscription<Note> late = queue.Subscribe("late");
        queue.Enqueue(Of(0, 40_000));
        Drain(queue);
        Assert.False(queue.TryEnqueue(Of(1, 40_000)));
        Assert.Equal([0L], SubscriptionTests.Drain(late));
        Assert.True(queue.TryEnqueue(Of(1, 40_000)));
        Assert.False(queue.TryEnqueue(Of(2, 40_000)));
        Assert.Equal([1L], SubscriptionTests.Drain(late));
        Assert.False(queue.TryEnqueue(Of(2, 40_000)));
        Assert.Equal([1L], Drain(queue));
        Assert.True(queue.TryEnqueue(Of(2, 40_000)));
    }

    [Fact]
    public void What_can_never_fit_is_refused()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        Assert.Contains("10000", Assert.Throws<ArgumentException>(() => queue.Enqueue(Of(1, 20_000))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => queue.TryEnqueue(Of(1, 20_000)));
        Assert.Throws<ArgumentException>(() => queue.EnqueueBatch([Of(1, 6000), Of(2, 6000)]));
        Assert.True(queue.TryEnqueue(Of(3)));
        Assert.Equal([3], Drain(queue));
    }

    [Fact]
    public void A_producer_that_waits_for_room_ends_when_the_queue_is_disposed()
    {
        MappedQueue<Note> queue = Open(Bounded);
        Fill(queue);
        Exception? thrown = null;
        var producer = new Thread(() => thrown = Record.Exception(() => queue.Enqueue(Of(99, 1000))));
        producer.Start();
        Thread.Sleep(50);
        queue.Dispose();
        Assert.True(producer.Join(TimeSpan.FromSeconds(30)));
        Assert.IsType<ObjectDisposedException>(thrown);
    }

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
