using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// What goes over several segments takes their headers and its padding too: no more waits than the capacity says all the same.
/// </summary>
public sealed class BatchCapacityTests : StoreFixture
{
    private const int Capacity = 200_000;

    // A segment takes one of them: 160,064 bytes of records, and over 236,000 with the padding between.
    private static readonly Note[] Wide = [.. Enumerable.Range(100, 4).Select(static id => QueueFixture.Of(id, 40_000))];

    private Note? _note;

    private MappedQueue<Note> Open(FullMode mode) => Store.OpenQueue<Note>("bounded", Small with { Capacity = Capacity, FullMode = mode });

    [Theory]
    [InlineData(FullMode.Wait, 0)]
    [InlineData(FullMode.Fail, 0)]
    [InlineData(FullMode.DropOldest, 0)]
    [InlineData(FullMode.Wait, 1)]
    [InlineData(FullMode.Fail, 1)]
    [InlineData(FullMode.DropOldest, 1)]
    [InlineData(FullMode.Wait, 2)]
    [InlineData(FullMode.Fail, 2)]
    [InlineData(FullMode.DropOldest, 2)]
    public void Never_does_more_wait_than_the_capacity_padding_and_headers_included(FullMode mode, int way)
    {
        MappedQueue<Note> queue = Open(mode);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var random = new Random(8);
        List<long> taken = [];
        long next = 0, fullest = 0;
        for (int round = 0; round < 300; round++)
        {
            int longest = random.Next(3) == 0 ? 110_000 : 30_000, count = random.Next(1, 120_000 / longest + 1);
            Note[] batch = [.. Enumerable.Range(0, count).Select(_ => QueueFixture.Of(next++, random.Next(1, longest)))];
            Enqueue(queue, batch, way, () =>
            {
                if (mode != FullMode.DropOldest && queue.TryDequeue(ref _note))
                {
                    taken.Add(_note!.Id);
                }
            });
            QueueStatus status = queue.GetStatus();
            Assert.InRange(status.Bytes, 0, Capacity);
            fullest = Math.Max(fullest, status.Bytes);
        }
        Assert.InRange(fullest, Capacity * 9 / 10, Capacity);
        taken.AddRange(Drain(queue));
        Assert.Equal(Enumerable.Range((int)subscription.Dropped, taken.Count).Select(static id => (long)id), taken);
        Assert.Equal(next, taken.Count + subscription.Dropped);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void What_fits_but_for_its_padding_goes_in_where_nothing_else_waits(int way)
    {
        MappedQueue<Note> queue = Open(FullMode.Fail);
        for (int round = 0; round < 3; round++)
        {
            queue.Enqueue(QueueFixture.Of(round));
            bool wasFull = false;
            Enqueue(queue, Wide, way, () =>
            {
                wasFull = true;
                Assert.Equal([(long)round], Drain(queue));
            });
            Assert.True(wasFull);
            Assert.InRange(queue.GetStatus().Bytes, Capacity + 1, MostWithPadding);
            Assert.False(queue.TryEnqueue(QueueFixture.Of(0)));
            Assert.Equal([100, 101, 102, 103], Drain(queue));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void It_waits_until_nothing_else_does_where_that_was_chosen(int way)
    {
        MappedQueue<Note> queue = Open(FullMode.Wait);
        queue.Enqueue(QueueFixture.Of(1));
        queue.Enqueue(QueueFixture.Of(2));
        int looks = 0;
        Enqueue(queue, Wide, way, () =>
        {
            if (looks++ < 2)
            {
                Assert.True(queue.TryDequeue(ref _note));
            }
        });
        Assert.InRange(looks, 2, int.MaxValue);
        Assert.InRange(queue.GetStatus().Bytes, Capacity + 1, MostWithPadding);
        Assert.Equal([100, 101, 102, 103], Drain(queue));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void All_that_waits_is_dropped_for_it_where_that_was_chosen(int way)
    {
        MappedQueue<Note> queue = Open(FullMode.DropOldest);
        using Subscription<Note> subscription = queue.Subscribe("default");
        for (int round = 1; round <= 3; round++)
        {
            queue.Enqueue(QueueFixture.Of(0));
            queue.Enqueue(QueueFixture.Of(1));
            Enqueue(queue, Wide, way, static () => { });
            Assert.InRange(queue.GetStatus().Bytes, Capacity + 1, MostWithPadding);
            Assert.Equal([100, 101, 102, 103], Drain(queue));
            Assert.Equal(2 * round, subscription.Dropped);
        }
    }

    // The most that 200,000 bytes of records take: each pair of segments that follow each other holds more than one can.
    private static long MostWithPadding => (2 * Capacity * (1L << 16) / ((1 << 16) - 4096 - 16)) + (1 << 16);

    [Theory]
    [InlineData(FullMode.Wait)]
    [InlineData(FullMode.Fail)]
    [InlineData(FullMode.DropOldest)]
    public async Task A_message_of_as_many_bytes_as_the_capacity_goes_into_an_empty_queue_wherever_that_stands(FullMode mode)
    {
        MappedQueue<Note> queue = Open(mode);
        int length = Capacity - 100;
        using (var staged = StagedBatch.Rent())
        {
            queue.Producer.Stage([QueueFixture.Of(0, length)], staged);
            length += (int)(Capacity - staged.Extent);
        }
        for (int id = 0; id < 60; id++)
        {
            Note note = QueueFixture.Of(0, length);
            await Task.Run(() => queue.Enqueue(note)).WaitAsync(TimeSpan.FromSeconds(10));
            Assert.InRange(queue.GetStatus().Bytes, Capacity, Capacity + (5 * 4200));
            Assert.Equal([0], Drain(queue));
            Assert.Throws<ArgumentException>(() => queue.Enqueue(QueueFixture.Of(0, length + 8)));
            queue.Enqueue(QueueFixture.Of(1, 997 * id));
            Assert.Equal([1], Drain(queue));
        }
    }

    [Fact]
    public void What_has_no_room_for_its_records_is_refused_in_a_transaction()
    {
        MappedQueue<Note> queue = Open(FullMode.Wait);
        using QueueTransaction transaction = Store.Begin();
        transaction.EnqueueBatch(queue, [.. Wide, .. Wide]);
        Assert.Throws<ArgumentException>(() => transaction.TryCommit());
        Assert.Throws<ArgumentException>(() => transaction.Commit());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void What_does_not_go_in_leaves_no_padding(int way)
    {
        MappedQueue<Note> queue = Open(FullMode.Fail);
        for (int id = 0; id < 3; id++)
        {
            queue.Enqueue(QueueFixture.Of(id, 60_000));
        }
        QueuePosition end = queue.GetStatus().Next;
        queue.Producer.MakeSegments((end.Value >> 16) + 1, TimeSpan.FromSeconds(30), default);
        bool wasFull = false;
        Enqueue(queue, [QueueFixture.Of(3, 20_000)], way, () =>
        {
            Assert.Equal(end, queue.GetStatus().Next);
            wasFull |= queue.TryDequeue(ref _note);
        });
        Assert.True(wasFull);
        Assert.Equal([1, 2, 3], Drain(queue));
    }

    [Fact]
    public void Where_leased_messages_leave_no_room_no_more_than_one_segments_rest_is_padded()
    {
        MappedQueue<Note> queue = Open(FullMode.DropOldest);
        using Subscription<Note> subscription = queue.Subscribe("default");
        for (int id = 0; id < 9; id++)
        {
            queue.Enqueue(QueueFixture.Of(id, 20_000));
        }
        List<Lease<Note>> leases = [];
        while (subscription.TryReceive(out Lease<Note> lease))
        {
            leases.Add(lease);
        }
        for (int attempt = 0; attempt < 10; attempt++)
        {
            Assert.False(queue.TryEnqueue(QueueFixture.Of(9, 30_000)));
            Assert.InRange(queue.GetStatus().Bytes, 0, Capacity + (1 << 16));
        }
        leases.ForEach(static lease => lease.Commit());
        Assert.True(queue.TryEnqueue(QueueFixture.Of(9, 30_000)));
        Assert.Equal([9], Drain(queue));
        Assert.Equal(0, subscription.Dropped);
    }

    // As a batch, asynchronously, or in a transaction; as long as there is no room something is done about it.
    private void Enqueue(MappedQueue<Note> queue, Note[] batch, int way, Action whenFull)
    {
        using QueueTransaction? transaction = way == 2 ? Store.Begin() : null;
        transaction?.EnqueueBatch(queue, batch);
        for (int attempt = 0; ; attempt++)
        {
            Assert.InRange(attempt, 0, 100);
            try
            {
                Task enqueued = way switch
                {
                    0 when batch.Length == 1 => Task.Run(() => queue.Enqueue(batch[0])),
                    0 => Task.Run(() => queue.EnqueueBatch(batch)),
                    1 => queue.EnqueueBatchAsync(batch).AsTask(),
                    _ => Task.Run(() => transaction!.Commit()),
                };
                bool mayWait = queue.Producer.Options.FullMode == FullMode.Wait;
                while (!enqueued.Wait(mayWait ? 2 : 30_000))
                {
                    if (!mayWait || IsWaitedFor(queue))
                    {
                        whenFull();
                    }
                }
                return;
            }
            catch (AggregateException exception) when (exception.InnerException is QueueFullException)
            {
                whenFull();
            }
        }
    }

    // Whether somebody sleeps until there is room. On a slow machine a call takes a while although there is.
    private static bool IsWaitedFor(MappedQueue<Note> queue) => queue.Store.Control.Room.IsSleptOn;
}
