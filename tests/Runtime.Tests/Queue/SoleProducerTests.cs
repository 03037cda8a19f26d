using BlitQueue.Memory;
using BlitQueue.Segments;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A producer that is the queue's only one: nobody may notice but by the clock, and by being refused.</summary>
public sealed class SoleProducerTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, StallTimeout = TimeSpan.FromSeconds(30) };

    private readonly Site _site = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Messages_of_a_known_length_come_out_in_order_over_many_segments(bool checksum)
    {
        using MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small with { Checksum = checksum });
        using (SoleProducer<Tick> sole = queue.OpenSoleProducer())
        {
            for (int id = 0; id < 10_000; id++)
            {
                sole.Enqueue(new Tick { Id = id });
            }
            sole.EnqueueBatch([.. Enumerable.Range(10_000, 5_000).Select(static id => new Tick { Id = id })]);
            Assert.True(sole.TryEnqueue(new Tick { Id = 15_000 }));
            sole.EnqueueBatch([.. Enumerable.Range(15_001, 5).Select(static id => new Tick { Id = id })]);
        }
        queue.Enqueue(new Tick { Id = 15_006 });
        Tick? tick = null;
        for (int id = 0; id <= 15_006; id++)
        {
            Assert.True(queue.TryDequeue(ref tick));
            Assert.Equal(id, tick!.Id);
        }
        Assert.False(queue.TryDequeue(ref tick));
        Assert.Equal(0, queue.GetStatus().Repairs);
    }

    [Fact]
    public void Other_messages_do_too()
    {
        using MappedQueue<Note> queue = Open();
        using SoleProducer<Note> sole = queue.OpenSoleProducer();
        for (int id = 0; id < 2000; id++)
        {
            sole.Enqueue(QueueFixture.Of(id, id % 300));
        }
        sole.Enqueue(QueueFixture.Of(2000, 200_000));
        sole.EnqueueBatch([.. Enumerable.Range(2001, 500).Select(static id => QueueFixture.Of(id, 300))]);
        Assert.Equal(Enumerable.Range(0, 2501).Select(static id => (long)id), QueueFixture.Drain(queue));
    }

    [Fact]
    public async Task Whoever_else_appends_is_refused_until_it_is_disposed()
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        using (SoleProducer<Note> sole = queue.OpenSoleProducer())
        {
            sole.Enqueue(QueueFixture.Of(0));
            Refused(() => other.Enqueue(QueueFixture.Of(9)));
            Refused(() => other.TryEnqueue(QueueFixture.Of(9)));
            Refused(() => other.EnqueueBatch([QueueFixture.Of(9), QueueFixture.Of(9)]));
            Refused(() => other.OpenSoleProducer());
            Refused(() => queue.Enqueue(QueueFixture.Of(9)));
            Refused(() => queue.OpenSoleProducer());
            await Assert.ThrowsAnyAsync<QueueException>(() => other.EnqueueAsync(QueueFixture.Of(9)).AsTask());
            sole.Enqueue(QueueFixture.Of(1));
        }
        other.Enqueue(QueueFixture.Of(2));
        queue.Enqueue(QueueFixture.Of(3));
        using (SoleProducer<Note> sole = other.OpenSoleProducer())
        {
            sole.Enqueue(QueueFixture.Of(4));
        }
        Assert.Equal([0, 1, 2, 3, 4], QueueFixture.Drain(queue));

        static void Refused(Action append)
        {
            var refusal = Assert.ThrowsAny<QueueException>(append);
            Assert.Contains($"process {Environment.ProcessId} is the queue's only producer", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Of_a_disposed_one_and_of_a_disposed_queue_nothing_is_held()
    {
        using MappedQueue<Tick> other = MappedQueue<Tick>.Open(_site.Queue, Small);
        SoleProducer<Tick> sole;
        using (MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small))
        {
            sole = queue.OpenSoleProducer();
            sole.Enqueue(new Tick { Id = 1 });
            sole.Dispose();
            Assert.Throws<ObjectDisposedException>(() => sole.Enqueue(new Tick()));
            Assert.Throws<ObjectDisposedException>(() => sole.TryEnqueue(new Tick()));
            Assert.Throws<ObjectDisposedException>(() => sole.EnqueueBatch([new Tick()]));
            sole.Dispose();
            sole = queue.OpenSoleProducer();
            sole.Enqueue(new Tick { Id = 2 });
        }
        Assert.Throws<ObjectDisposedException>(() => sole.Enqueue(new Tick()));
        sole.Dispose();
        other.Enqueue(new Tick { Id = 3 });
        Tick? tick = null;
        for (int id = 1; id <= 3; id++)
        {
            Assert.True(other.TryDequeue(ref tick));
            Assert.Equal(id, tick!.Id);
        }
        Assert.Equal(0, other.GetStatus().Repairs);
    }

    [Fact]
    public void Its_queue_may_be_disposed_while_it_enqueues()
    {
        for (int round = 0; round < 20; round++)
        {
            MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small);
            SoleProducer<Tick> sole = queue.OpenSoleProducer();
            using var began = new ManualResetEventSlim();
            var thread = new Thread(() =>
            {
                try
                {
                    for (;;)
                    {
                        sole.Enqueue(new Tick());
                        began.Set();
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            });
            thread.Start();
            began.Wait();
            queue.Dispose();
            thread.Join();
        }
        using MappedQueue<Tick> later = MappedQueue<Tick>.Open(_site.Queue, Small);
        later.Enqueue(new Tick());
        Assert.Equal(0, later.GetStatus().Repairs);
    }

    [Fact]
    public void The_capacity_is_kept()
    {
        using MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small with { Capacity = 10_000, FullMode = FullMode.Fail });
        using SoleProducer<Tick> sole = queue.OpenSoleProducer();
        long count = 0;
        while (sole.TryEnqueue(new Tick { Id = count }))
        {
            count++;
        }
        Assert.Equal(10_000 / 32, count);
        Assert.Throws<QueueFullException>(() => sole.Enqueue(new Tick()));
        Tick? tick = null;
        Assert.True(queue.TryDequeue(ref tick));
        sole.Enqueue(new Tick { Id = count });
        Assert.Throws<QueueFullException>(() => sole.Enqueue(new Tick()));
    }

    [Fact]
    public void Bad_messages_are_refused_and_nothing_stays()
    {
        using MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small);
        using SoleProducer<Tick> sole = queue.OpenSoleProducer();
        Assert.Throws<ArgumentNullException>(() => sole.Enqueue(null!));
        Assert.Throws<PackException>(() => sole.Enqueue(new DerivedTick()));
        Assert.Throws<ArgumentNullException>(() => sole.EnqueueBatch([new Tick(), null!]));
        Assert.Equal(0, queue.GetStatus().Messages);
        sole.Enqueue(new Tick());
        Assert.Equal(1, queue.GetStatus().Messages);
    }

    // It holds the turn, so it cannot find it closed: it looks for the mark.
    [Fact]
    public void After_a_failed_sync_it_appends_no_more_and_the_queue_is_closed_when_it_lets_go()
    {
        using MappedQueue<Tick> queue = MappedQueue<Tick>.Open(_site.Queue, Small);
        SoleProducer<Tick> sole = queue.OpenSoleProducer();
        sole.Enqueue(new Tick());
        sole.Enqueue(new Tick());
        MachineMemory.Store(ref queue.Store.Control.Failed, ControlFormat.FailedWord(5, Environment.ProcessId));
        Assert.Throws<QueueFailedException>(queue.Sync.Wait);
        Assert.Throws<QueueFailedException>(() => sole.Enqueue(new Tick()));
        Assert.Throws<QueueFailedException>(() => sole.EnqueueBatch([new Tick()]));
        Assert.Equal(2, queue.GetStatus().Messages);
        sole.Dispose();
        Assert.True(SpinWait.SpinUntil(
            () => MachineMemory.Load(ref queue.Store.Control.Turn) == ControlFormat.ClosedTurn, TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void A_transaction_that_sends_there_is_refused_as_a_whole()
    {
        using MappedStore store = MappedStore.Open(Path.Combine(_site.Root, "store"), Small);
        using MappedQueue<Tick> queue = store.OpenQueue<Tick>("one"), another = store.OpenQueue<Tick>("two");
        using (SoleProducer<Tick> sole = queue.OpenSoleProducer())
        {
            sole.Enqueue(new Tick());
            using QueueTransaction transaction = store.Begin();
            transaction.Enqueue(another, new Tick());
            transaction.Enqueue(queue, new Tick());
            Assert.ThrowsAny<QueueException>(() => transaction.Commit());
            Assert.Equal(0, another.GetStatus().Messages);
            Assert.Equal(1, queue.GetStatus().Messages);
        }
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(another, new Tick());
            transaction.Enqueue(queue, new Tick());
            transaction.Commit();
        }
        Assert.Equal((1, 2), (another.GetStatus().Messages, queue.GetStatus().Messages));
    }

    private MappedQueue<Note> Open() => MappedQueue<Note>.Open(_site.Queue, Small);

    public void Dispose() => _site.Dispose();
}
