using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

public sealed class SeekTests : QueueFixture
{
    private static readonly QueueOptions Retaining = new() { SegmentSize = 1 << 16, RetainBytes = 1 << 20 };

    [Fact]
    public void Goes_back_to_a_leases_position_and_on_from_there()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 10);
        QueuePosition third = default;
        for (int id = 0; id < 10; id++)
        {
            using Lease<Note> lease = audit.Receive();
            third = id == 3 ? lease.Position : third;
            lease.Commit();
        }
        audit.Seek(third);
        Assert.Equal(Ids(3, 7), SubscriptionTests.Drain(audit));
        audit.Seek(QueuePosition.Oldest);
        Assert.Equal(Ids(0, 10), SubscriptionTests.Drain(audit));
        audit.Seek(third);
        audit.Seek(QueuePosition.Newest);
        Enqueue(queue, 10, 2);
        Assert.Equal(Ids(10, 2), SubscriptionTests.Drain(audit));
        Assert.Equal(Ids(0, 12), Drain(queue));
    }

    // Before single messages, batches, what is left of a segment and of one in a batch, pieces, and the end.
    [Fact]
    public void Each_position_that_is_told_can_be_sought()
    {
        using MappedQueue<Note> queue = Open(Retaining);
        using QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest), second = queue.OpenCursor(QueuePosition.Oldest);
        using var reader = QueueReader<Note>.Open(Site.Queue);
        List<QueuePosition> told = [], first = [queue.GetStatus().First], next = [];
        for (int id = 0; id < 30; id += 3)
        {
            next.Add(queue.GetStatus().Next);
            queue.Enqueue(Of(id, 5000));
            next.Add(queue.GetStatus().Next);
            queue.EnqueueBatch([Of(id + 1, id == 9 ? 200_000 : 15_000), Of(id + 2, 15_000)]);
        }
        Note? note = null;
        do
        {
            told.Add(cursor.Position);
            first.Add(queue.GetStatus().First);
            Assert.Equal(told[^1], reader.Position);
            Assert.Equal(cursor.TryRead(ref note), reader.TryRead(ref note));
        }
        while (queue.TryDequeue(ref note));
        using Subscription<Note> audit = queue.Subscribe("audit");
        for (int id = 0; id <= 30; id++)
        {
            AssertLeadsTo(told[id], id);
            AssertLeadsTo(first[id + 1], id);
        }
        for (int i = 0; i < next.Count; i++)
        {
            AssertLeadsTo(next[i], (i / 2 * 3) + (i % 2));
        }
        AssertLeadsTo(first[0], 0);
        cursor.Seek(told[30]);
        queue.EnqueueBatch([Of(30), Of(31)]);
        AssertLeadsTo(told[30], 30, count: 32);
        Assert.True(cursor.TryRead(ref note));
        Assert.Equal(30, note!.Id);

        void AssertLeadsTo(QueuePosition position, int id, int count = 30)
        {
            audit.Seek(position);
            Assert.Equal(Ids(id, count - id), SubscriptionTests.Drain(audit));
            second.Seek(position);
            Assert.Equal(id < count, second.TryRead(ref note));
            Assert.True(id == count || note!.Id == id);
            reader.Seek(position);
            Assert.Equal(id < count, reader.TryRead(ref note));
            Assert.True(id == count || note!.Id == id);
        }
    }

    // Longer than the segments that a reader keeps mapped at a time.
    [Fact]
    public void Goes_back_to_a_message_over_many_segments()
    {
        using MappedQueue<Note> queue = Open(Retaining with { RetainBytes = 1 << 24 });
        using Subscription<Note> audit = queue.Subscribe("audit");
        queue.Enqueue(Of(7, 3_000_000));
        QueuePosition position;
        using (Lease<Note> lease = audit.Receive())
        {
            position = lease.Position;
            lease.Commit();
        }
        audit.Seek(position);
        Assert.Equal([7L], SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void Open_leases_stay_open()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 3);
        Lease<Note> first = audit.Receive();
        audit.Seek(QueuePosition.Newest);
        Note? note = null;
        first.ReadInto(ref note);
        Assert.Equal(0, note!.Id);
        first.Commit();
        Assert.Throws<InvalidOperationException>(() => first.Commit());
        Assert.Empty(SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void Retained_messages_are_replayed_over_many_segments()
    {
        using MappedQueue<Note> queue = Open(Retaining);
        for (int id = 0; id < 400; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
        }
        using Subscription<Note> audit = queue.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Newest });
        audit.Seek(QueuePosition.Oldest);
        Assert.Equal(Ids(0, 400), SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void What_is_no_longer_on_disk_is_a_clear_refusal_and_moves_nothing()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        queue.Enqueue(Of(0));
        QueuePosition first;
        using (Lease<Note> lease = audit.Receive())
        {
            first = lease.Position;
            lease.Commit();
        }
        for (int id = 1; id < 300; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
            SubscriptionTests.Drain(audit);
        }
        queue.Enqueue(Of(300));
        Assert.Contains("no longer on disk", Assert.Throws<QueueException>(() => audit.Seek(first)).Message, StringComparison.Ordinal);
        Assert.Equal([300L], SubscriptionTests.Drain(audit));
    }

    [Theory]
    [InlineData(8)]
    [InlineData(4096 + 8)]
    [InlineData(4096 + 4)]
    [InlineData(1L << 40)]
    [InlineData(-8)]
    public void Where_no_message_begins_is_a_clear_refusal(long position)
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, 3);
        Assert.Contains(
            $"{position}", Assert.Throws<QueueException>(() => audit.Seek(new QueuePosition(position))).Message, StringComparison.Ordinal);
        Assert.Equal(Ids(0, 3), SubscriptionTests.Drain(audit));
    }

    [Fact]
    public void Seeking_while_others_consume_loses_and_tears_nothing()
    {
        const int Count = 2000;
        using MappedQueue<Note> queue = Open(Retaining);
        using Subscription<Note> audit = queue.Subscribe("audit");
        Enqueue(queue, 0, Count);
        using var stop = new CancellationTokenSource();
        bool[] seen = new bool[Count];
        Thread[] consumers = [.. Enumerable.Range(0, 2).Select(number => new Thread(() => Consume(audit, number == 0, seen, stop.Token)))];
        Array.ForEach(consumers, consumer => consumer.Start());
        for (int i = 0; i < 200; i++)
        {
            audit.Seek(QueuePosition.Oldest);
            Thread.Yield();
        }
        SpinWait.SpinUntil(() => Array.TrueForAll(seen, static one => one), TimeSpan.FromSeconds(30));
        stop.Cancel();
        Array.ForEach(consumers, consumer => consumer.Join());
        Assert.DoesNotContain(false, seen);
        Assert.Equal(0, queue.GetStatus().Subscriptions.Single(status => status.Name == "audit").InFlight);
    }

    private static void Consume(Subscription<Note> subscription, bool leases, bool[] seen, CancellationToken ct)
    {
        Note? note = null;
        try
        {
            while (true)
            {
                if (leases)
                {
                    using Lease<Note> lease = subscription.Receive(ct);
                    lease.ReadInto(ref note);
                    lease.Commit();
                }
                else
                {
                    subscription.Dequeue(ref note, ct);
                }
                Assert.Equal($"note {note!.Id}", note.Text);
                seen[note.Id] = true;
            }
        }
        catch (OperationCanceledException)
        {
        }
    }
}
