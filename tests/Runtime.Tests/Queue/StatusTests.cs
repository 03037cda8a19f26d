using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class StatusTests : QueueFixture
{
    [Fact]
    public void Counts_what_waits_what_is_leased_and_what_is_nobodys_any_more()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 30 });
        using Subscription<Note> audit = queue.Subscribe("audit");
        for (int id = 0; id < 500; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        queue.EnqueueBatch([Of(500), Of(501, 200_000), Of(502)]);
        Note? note = null;
        for (int id = 0; id < 200; id++)
        {
            Assert.True(queue.TryDequeue(ref note));
        }
        Lease<Note> held = audit.Receive(), given = audit.Receive();
        audit.Receive().Commit();
        given.Abandon();

        QueueStatus status = queue.GetStatus();
        Assert.Equal(503 - 1, status.MessageCount);
        Assert.Equal(held.Position, status.First);
        Assert.Equal(status.Next.Value - status.First.Value, status.Bytes);
        Assert.Equal(1 << 30, status.Capacity);
        SubscriptionStatus first = status.Subscriptions[0], second = status.Subscriptions[1];
        Assert.Equal(("audit", 501L, 1L, 1), (first.Name, first.Lag, first.InFlight, first.Consumers));
        Assert.Equal(("default", 303L, 0L, 1), (second.Name, second.Lag, second.InFlight, second.Consumers));
        Assert.InRange(first.OldestAge!.Value, TimeSpan.Zero, TimeSpan.FromMinutes(5));

        held.Commit();
        while (queue.TryDequeue(ref note) || audit.TryDequeue(ref note))
        {
        }
        status = queue.GetStatus();
        Assert.Equal((0L, 0L), (status.MessageCount, status.Bytes));
        Assert.All(status.Subscriptions, static one => Assert.Equal((0L, 0L, null), (one.Lag, one.InFlight, one.OldestAge)));
    }

    [Fact]
    public void Counts_live_consumers_only()
    {
        using MappedQueue<Note> queue = Open(), producer = Open();
        producer.Enqueue(Of(0));
        Note? note = null;
        using (MappedQueue<Note> other = Open())
        {
            Assert.True(other.TryDequeue(ref note));
            Assert.False(queue.TryDequeue(ref note));
            Assert.Equal(2, Assert.Single(producer.GetStatus().Subscriptions).Consumers);
        }
        Assert.Equal(1, Assert.Single(producer.GetStatus().Subscriptions).Consumers);
    }

    [Fact]
    public async Task A_message_that_is_taken_meanwhile_counts_once()
    {
        const int Messages = 20_000;
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < Messages; id++)
        {
            queue.Enqueue(Of(id));
        }
        int consumed = 0;
        var taking = Task.Run(() =>
        {
            using Subscription<Note> consumer = queue.Subscribe("default");
            while (consumed < Messages)
            {
                consumer.Receive().Abandon();
                consumer.Receive().Commit();
                Interlocked.Increment(ref consumed);
            }
        });
        while (!taking.IsCompleted)
        {
            int before = Volatile.Read(ref consumed);
            SubscriptionStatus status = Assert.Single(queue.GetStatus().Subscriptions);
            // A message that is consumed meanwhile may count or not; one may be consumed and not be counted as such yet.
            Assert.InRange(status.Lag + status.InFlight, Messages - Volatile.Read(ref consumed) - 1, Messages - before);
        }
        await taking;
    }

    [Fact]
    public void A_lease_counts_behind_a_seek_back_as_well()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(0));
        using Subscription<Note> consumer = queue.Subscribe("default");
        using Lease<Note> lease = consumer.Receive();
        consumer.Seek(QueuePosition.Oldest);
        SubscriptionStatus status = Assert.Single(queue.GetStatus().Subscriptions);
        Assert.Equal((1L, 1L), (status.Lag, status.InFlight));
    }
}
