using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class DurableOnlyTests : QueueFixture
{
    private static readonly SubscriptionOptions DurableOnly = new() { DurableOnly = true };

    [Fact]
    public void A_consumer_of_durable_messages_sees_no_others()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> careful = queue.Subscribe("default", DurableOnly);
        Note? note = null;
        queue.Enqueue(Of(1));
        Assert.False(careful.TryDequeue(ref note));
        Assert.False(careful.TryReceive(out _));
        queue.Flush();
        queue.Enqueue(Of(2));
        queue.EnqueueBatch([Of(3), Of(4)]);
        Assert.True(careful.TryDequeue(ref note) && note!.Id == 1);
        Assert.False(careful.TryDequeue(ref note));
        queue.Flush();
        Assert.True(careful.TryReceive(out Lease<Note> lease));
        lease.ReadInto(ref note);
        Assert.Equal(2, note!.Id);
        lease.Commit();
        Assert.True(careful.TryDequeue(ref note) && note!.Id == 3);
        Assert.True(careful.TryDequeue(ref note) && note!.Id == 4);
        Assert.False(careful.TryDequeue(ref note));
    }

    // The first segment's index is 0, the others' are not; messages are split over segments, and padded.
    [Fact]
    public void It_stays_so_over_many_segments()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> careful = queue.Subscribe("careful", DurableOnly);
        Note? note = null;
        for (int id = 0; id < 300; id++)
        {
            queue.Enqueue(Of(id, id % 10 == 0 ? 100_000 : 5_000));
            Assert.False(careful.TryDequeue(ref note));
            queue.Flush();
            Assert.True(careful.TryDequeue(ref note) && note!.Id == id);
        }
        Assert.Equal(300, Drain(queue).Length);
    }

    [Fact]
    public async Task It_never_sees_a_message_behind_the_durable_position_while_others_produce()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> careful = queue.Subscribe("default", DurableOnly);
        using var stop = new CancellationTokenSource();
        var producer = Task.Run(() =>
        {
            for (int id = 0; !stop.IsCancellationRequested; id++)
            {
                queue.Enqueue(Of(id));
                if (id % 50 == 0)
                {
                    queue.Flush();
                }
            }
        });
        for (int id = 0; id < 2000; id++)
        {
            using Lease<Note> lease = careful.Receive();
            Assert.True(lease.Position < queue.DurablePosition, $"{lease.Position} is not durable: {queue.DurablePosition}.");
            lease.Commit();
        }
        stop.Cancel();
        await producer;
    }

    [Fact]
    public async Task Who_waits_for_a_durable_message_is_woken_when_it_is_durable()
    {
        using MappedQueue<Note> queue = Open();
        using MappedQueue<Note> other = Open();
        using Subscription<Note> first = queue.Subscribe("first", DurableOnly);
        using Subscription<Note> second = queue.Subscribe("second", DurableOnly);
        Task<Note> awaited = first.DequeueAsync().AsTask();
        Task<Note> slept = Task.Run(() =>
        {
            Note? note = null;
            second.Dequeue(ref note);
            return note!;
        });
        other.Enqueue(Of(1));
        await Task.Delay(300);
        Assert.False(awaited.IsCompleted || slept.IsCompleted);
        other.Flush();
        Assert.Equal(1, (await awaited.WaitAsync(Processes.Peer.Patience)).Id);
        Assert.Equal(1, (await slept.WaitAsync(Processes.Peer.Patience)).Id);
    }

    // Another handle took it before it was durable, and gave it back.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_was_given_back_is_durable_before_it_is_delivered(bool isPeeked)
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> careless = queue.Subscribe("default");
        using Subscription<Note> careful = queue.Subscribe("default", DurableOnly);
        queue.Enqueue(Of(1));
        careless.Receive().Abandon();
        Note? note = null;
        Assert.True(isPeeked ? careful.TryPeek(ref note) : careful.TryDequeue(ref note));
        Assert.Equal(1, note!.Id);
        Assert.Equal(queue.GetStatus().Next, queue.DurablePosition);
    }

    [Fact]
    public void Peeks_and_batches_have_the_same_limit()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> careful = queue.Subscribe("default", DurableOnly);
        queue.EnqueueBatch([Of(1), Of(2)]);
        queue.Flush();
        queue.EnqueueBatch([Of(3), Of(4)]);
        var notes = new Note?[4];
        Assert.Equal(2, careful.TryDequeue(notes));
        Assert.False(careful.TryPeek(ref notes[0]));
        Assert.Equal(0, careful.TryReceive(new Lease<Note>[4]));
    }
}
