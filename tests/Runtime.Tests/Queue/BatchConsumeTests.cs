using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class BatchConsumeTests : QueueFixture
{
    [Fact]
    public void As_many_leases_as_there_are_come_in_order()
    {
        using MappedQueue<Note> queue = Filled(5);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var leases = new Lease<Note>[8];
        Assert.Equal(5, subscription.TryReceive(leases));
        Assert.Equal([0, 1, 2, 3, 4], Ids(leases.AsSpan(0, 5)));
        Assert.Equal(0, subscription.TryReceive(leases.AsSpan(5)));
        subscription.Commit(leases.AsSpan(0, 5));
        Assert.Equal(0, queue.GetStatus().MessageCount);
        Assert.Equal(0, subscription.TryReceive(Span<Lease<Note>>.Empty));
    }

    [Fact]
    public void Messages_given_back_come_first_and_in_order()
    {
        using MappedQueue<Note> queue = Filled(6);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var leases = new Lease<Note>[4];
        Assert.Equal(4, subscription.TryReceive(leases));
        leases[2].Abandon();
        leases[0].Abandon();
        Assert.Equal(4, subscription.TryReceive(leases.AsSpan()));
        Assert.Equal([0, 2, 4, 5], Ids(leases));
        Assert.Equal([2, 2, 1, 1], leases.Select(static lease => lease.Attempt));
    }

    [Fact]
    public void A_batch_with_an_ended_or_foreign_lease_is_not_committed()
    {
        using MappedQueue<Note> queue = Filled(4);
        using Subscription<Note> subscription = queue.Subscribe("default"), audit = queue.Subscribe("audit");
        var leases = new Lease<Note>[3];
        Assert.Equal(2, subscription.TryReceive(leases.AsSpan(0, 2)));
        leases[2] = audit.Receive();
        Assert.Contains("'audit'", Assert.Throws<ArgumentException>(() => subscription.Commit(leases)).Message);
        Assert.Contains("Lease 0", Assert.Throws<ArgumentException>(() => subscription.Commit([default])).Message);
        leases[1].Commit();
        Assert.Contains("lease 1", Assert.Throws<InvalidOperationException>(() => subscription.Commit(leases.AsSpan(0, 2))).Message);
        subscription.Commit(leases.AsSpan(0, 1));
        Assert.Contains("lease 0", Assert.Throws<InvalidOperationException>(() => subscription.Commit(leases.AsSpan(0, 1))).Message);
        subscription.Commit([]);
    }

    // Two stand in cells and are consumed one by one; the third is refused by code of the message's own.
    [Fact]
    public void What_was_consumed_before_a_message_that_throws_is_given_out()
    {
        using var queue = MappedQueue<Picky>.Open(Site.Queue);
        for (long id = 1; id <= 4; id++)
        {
            queue.Enqueue(new Picky { Id = id });
        }
        using Subscription<Picky> subscription = queue.Subscribe("default");
        var leases = new Lease<Picky>[2];
        Assert.Equal(2, subscription.TryReceive(leases));
        leases[0].Abandon();
        leases[1].Abandon();
        var run = new Picky?[4];
        Picky.Refused = 3;
        try
        {
            Assert.Equal(2, queue.TryDequeue(run));
            Assert.Equal([1, 2], run.Take(2).Select(static one => one!.Id));
            Assert.Throws<InvalidOperationException>(() => queue.TryDequeue(run));
        }
        finally
        {
            Picky.Refused = 0;
        }
        Assert.Equal(2, queue.TryDequeue(run));
        Assert.Equal([3, 4], run.Take(2).Select(static one => one!.Id));
    }

    [Fact]
    public void What_was_taken_before_a_limit_is_given_out()
    {
        using MappedQueue<Note> queue = Filled(2100);
        using Subscription<Note> subscription = queue.Subscribe("default");
        var leases = new Lease<Note>[2100];
        Assert.Equal(2047, subscription.TryReceive(leases));
        Assert.Throws<QueueException>(() => subscription.TryReceive(leases.AsSpan(2047)));
        subscription.Commit(leases.AsSpan(0, 2047));
        Assert.Equal(53, subscription.TryReceive(leases));
    }

    [Fact]
    public void A_run_fills_the_instances_that_are_given()
    {
        using MappedQueue<Note> queue = Filled(5);
        var first = new Note();
        Note?[] notes = [first, null, new Note()];
        Assert.Equal(3, queue.TryDequeue(notes));
        Assert.Same(first, notes[0]);
        Assert.Equal([0L, 1, 2], notes.Select(static note => note!.Id));
        Assert.Equal(2, queue.TryDequeue(notes.AsSpan()));
        Assert.Equal([3L, 4], notes.Take(2).Select(static note => note!.Id));
        Assert.Equal(0, queue.TryDequeue(notes));
        Assert.Equal(0, queue.TryDequeue(Span<Note?>.Empty));
    }

    [Fact]
    public void A_run_goes_over_segments_split_messages_and_batches()
    {
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < 300; id++)
        {
            queue.Enqueue(Of(id, id == 150 ? 200_000 : 1000));
        }
        queue.EnqueueBatch([Of(300), Of(301)]);
        var notes = new Note?[400];
        Assert.Equal(302, queue.TryDequeue(notes));
        Assert.Equal(Enumerable.Range(0, 302).Select(static id => (long)id), notes.Take(302).Select(static note => note!.Id));
        Assert.Equal(200_000, notes[150]!.Text!.Length);
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void What_was_given_back_comes_first_in_a_run()
    {
        using MappedQueue<Note> queue = Filled(4);
        using Subscription<Note> subscription = queue.Subscribe("default");
        Lease<Note> lease = subscription.Receive(), kept = subscription.Receive();
        lease.Abandon();
        var notes = new Note?[4];
        Assert.Equal(3, queue.TryDequeue(notes));
        Assert.Equal([0L, 2, 3], notes.Take(3).Select(static note => note!.Id));
        kept.Commit();
    }

    [Fact]
    public void A_damaged_message_ends_the_run_before_it()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        for (int id = 0; id < 4; id++)
        {
            queue.Enqueue(Of(id));
        }
        using (Subscription<Note> subscription = queue.Subscribe("other"))
        {
            var leases = new Lease<Note>[3];
            subscription.TryReceive(leases);
            using FileStream file = Site.OpenToDamage(Directory.GetFiles(Site.Queue, "segment-*").Order(StringComparer.Ordinal).First());
            file.Position = leases[2].Position.Value + 20;
            file.WriteByte(0xEE);
        }
        var notes = new Note?[4];
        Assert.Equal(2, queue.TryDequeue(notes));
        Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(notes));
        Assert.True(queue.SkipCorrupt());
        Assert.Equal(1, queue.TryDequeue(notes));
        Assert.Equal(3, notes[0]!.Id);
    }

    [Fact]
    public void Consumers_of_runs_get_every_message_once()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 1 << 18 });
        const int Count = 50_000;
        int[] seen = new int[Count];
        using var done = new CancellationTokenSource();
        Thread[] consumers = [.. Enumerable.Range(1, 3).Select(size => new Thread(() => Consume(queue, seen, size * 7, done.Token)))];
        Array.ForEach(consumers, static thread => thread.Start());
        for (int id = 0; id < Count; id++)
        {
            queue.Enqueue(Of(id));
        }
        done.Cancel();
        Array.ForEach(consumers, static thread => thread.Join());
        Assert.All(seen, static times => Assert.Equal(1, times));
    }

    private static void Consume(MappedQueue<Note> queue, int[] seen, int size, CancellationToken done)
    {
        var notes = new Note?[size];
        while (true)
        {
            bool last = done.IsCancellationRequested;
            int count = queue.TryDequeue(notes);
            long before = -1;
            for (int i = 0; i < count; i++)
            {
                Assert.True(notes[i]!.Id > before && notes[i]!.Text == $"note {notes[i]!.Id}");
                before = notes[i]!.Id;
                Interlocked.Increment(ref seen[notes[i]!.Id]);
            }
            if (last && count == 0)
            {
                return;
            }
        }
    }

    private static long[] Ids(ReadOnlySpan<Lease<Note>> leases)
    {
        List<long> ids = [];
        Note? note = null;
        foreach (Lease<Note> lease in leases)
        {
            lease.ReadInto(ref note);
            ids.Add(note!.Id);
        }
        return [.. ids];
    }
}
