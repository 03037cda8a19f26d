using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What enqueues a message says where it stands: the same as the lease that delivers it.</summary>
public sealed class PositionTests : QueueFixture
{
    [Fact]
    public async Task Each_way_to_enqueue_tells_the_position_that_its_lease_has()
    {
        using MappedQueue<Note> queue = Open();
        var properties = new MessageProperties { Label = "x" };
        List<QueuePosition> told = [];
        // Several segments of 64 KiB, with messages that are longer than one.
        for (int round = 0; round < 40; round++)
        {
            int length = round % 8 == 7 ? 100_000 : 1 + (round * 331);
            told.Add(queue.Enqueue(Of(told.Count, length)));
            told.Add(queue.Enqueue(Of(told.Count, length), properties));
            told.Add(queue.Enqueue(Of(told.Count, length), Durability.Interval));
            Assert.True(queue.TryEnqueue(Of(told.Count, length), out QueuePosition position));
            told.Add(position);
            told.Add(await queue.EnqueueAsync(Of(told.Count, length)));
            told.Add(await queue.EnqueueAsync(Of(told.Count, length), properties));
            told.Add(await queue.EnqueueAsync(Of(told.Count, length), Durability.Interval));
            told.Add(queue.EnqueueBatch([Of(told.Count, length)]));
            told.Add(queue.EnqueueBatch([Of(told.Count, length), Of(-1, length), Of(-1, length)]));
            told.Add(queue.EnqueueBatch([Of(told.Count, length), Of(-1, length)], properties));
            told.Add(await queue.EnqueueBatchAsync([Of(told.Count, length), Of(-1, length)]));
        }
        Assert.Equal(told.Count, told.Distinct().Count());
        Assert.Equal(told, ReceivedBy(queue, static note => note.Id));
    }

    [Fact]
    public void A_message_of_fixed_size_tells_it_alone_and_in_batches()
    {
        using var queue = MappedQueue<Tick>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        List<QueuePosition> told = [];
        for (int round = 0; round < 2000; round++)
        {
            told.Add(queue.Enqueue(new Tick { Id = told.Count }));
            told.Add(queue.EnqueueBatch([new Tick { Id = told.Count }, new Tick { Id = -1 }, new Tick { Id = -1 }]));
        }
        Assert.Equal(told, ReceivedBy(queue, static tick => tick.Id));
    }

    [Fact]
    public void Bytes_and_lanes_tell_it_too()
    {
        using var frames = MappedQueue<RawMessage>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        QueuePosition[] told = [frames.Enqueue("one"u8), frames.Enqueue("two"u8)];
        Assert.Equal(told, ReceivedBy(frames, static _ => 0));

        using var lanes = MappedLanes<Note>.Open(Path.Combine(Site.Root, "lanes"), 2, new QueueOptions { SegmentSize = 1 << 16 });
        Assert.Equal([lanes.Enqueue(Of(0), lane: 1)], ReceivedBy(lanes[1], static _ => 0));
    }

    [Fact]
    public async Task What_enqueues_nothing_tells_no_message_s_position()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 100 });
        Assert.Equal(default, queue.EnqueueBatch([]));
        Assert.Equal(default, await queue.EnqueueBatchAsync([]));
        Assert.True(queue.TryEnqueue(Of(1, 20), out QueuePosition first));
        Assert.NotEqual(default, first);
        Assert.False(queue.TryEnqueue(Of(1, 40), out QueuePosition none));
        Assert.Equal(default, none);
    }

    // Positions of the messages whose number is not negative, in order.
    private static List<QueuePosition> ReceivedBy<T>(MappedQueue<T> queue, Func<T, long> number)
        where T : IPackable<T>
    {
        using Subscription<T> subscription = queue.Subscribe("default");
        List<QueuePosition> positions = [];
        while (subscription.TryReceive(out Lease<T> lease))
        {
            if (number(lease.Read()) >= 0)
            {
                positions.Add(lease.Position);
            }
            lease.Commit();
        }
        return positions;
    }
}
