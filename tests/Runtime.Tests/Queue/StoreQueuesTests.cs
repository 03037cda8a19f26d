using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What the queues of a store, and several handles of one, have to do with each other in a transaction, and what not.</summary>
public sealed class StoreQueuesTests : StoreFixture
{
    private static readonly QueueOptions Narrow = Small with { Capacity = 5000 };

    private Note? _note;

    [Fact]
    public void A_copy_of_a_queue_is_a_queue_of_its_own()
    {
        string path = Path.Combine(Site.Root, "copies");
        using (var before = MappedStore.Open(path, Small))
        {
            MappedQueue<Note> orders = before.OpenQueue<Note>("orders");
            orders.Enqueue(QueueFixture.Of(1));
            orders.Enqueue(QueueFixture.Of(2));
        }
        Copy(Path.Combine(path, "orders"), Path.Combine(path, "copy"));
        using var store = MappedStore.Open(path, Small);
        MappedQueue<Note> original = store.OpenQueue<Note>("orders"), copy = store.OpenQueue<Note>("copy");
        Assert.Equal(original.Store.Meta.Id, copy.Store.Meta.Id);
        using (QueueTransaction transaction = store.Begin())
        {
            Assert.True(transaction.TryReceive(original, ref _note) && _note!.Id == 1);
            transaction.Enqueue(original, QueueFixture.Of(100));
            transaction.Enqueue(copy, QueueFixture.Of(200));
            transaction.Commit();
        }
        Assert.Equal([2, 100], Drain(original));
        Assert.Equal([1, 2, 200], Drain(copy));
    }

    [Fact]
    public void The_strictest_durability_of_a_queues_handles_counts()
    {
        MappedQueue<Note> durable = Store.OpenQueue<Note>("to", Small with { Durability = Durability.Commit });
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(To, QueueFixture.Of(1));
        transaction.Enqueue(durable, QueueFixture.Of(2));
        transaction.Commit();
        Assert.Equal(To.Sync.Log.Published, To.Sync.Log.Durable);
        Assert.Equal([1, 2], Drain(To));
    }

    // The capacity is the queue's; what to do without room is each handle's.
    [Fact]
    public void Where_one_of_a_queues_handles_fails_without_room_the_commit_does()
    {
        MappedQueue<Note> narrow = Store.OpenQueue<Note>("to", Narrow with { FullMode = FullMode.Fail });
        for (int id = 0; id < 4; id++)
        {
            To.Enqueue(QueueFixture.Of(id, 1000));
        }
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(To, QueueFixture.Of(8, 1000));
        transaction.Enqueue(narrow, QueueFixture.Of(9, 1000));
        Assert.Contains("5000", Assert.Throws<QueueFullException>(() => transaction.Commit()).Message, StringComparison.Ordinal);
        Assert.False(transaction.TryCommit());
        Assert.Equal([0, 1, 2, 3], Drain(To));
        transaction.Commit();
        Assert.Equal([8, 9], Drain(To));
    }

    // The one has messages to drop, the other none to spare: nothing is dropped before both have room.
    [Fact]
    public async Task A_commit_that_is_cancelled_has_dropped_nothing()
    {
        MappedQueue<Note> ring = Store.OpenQueue<Note>("ring", Narrow with { FullMode = FullMode.DropOldest });
        MappedQueue<Note> full = Store.OpenQueue<Note>("full", Narrow);
        long[] before = [.. Enumerable.Range(0, 4).Select(static id => (long)id)];
        foreach (long id in before)
        {
            ring.Enqueue(QueueFixture.Of(id, 1000));
            full.Enqueue(QueueFixture.Of(id, 1000));
        }
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueToAll(QueueFixture.Of(8, 2000), ring, full);
            using var soon = new CancellationTokenSource(100);
            Assert.Throws<OperationCanceledException>(() => transaction.Commit(soon.Token));
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => transaction.CommitAsync(soon.Token).AsTask());
            Assert.False(transaction.TryCommit());
            Assert.Equal(0, ring.Subscribe("default").Dropped);
            Assert.Equal(before, Drain(full));
            Assert.True(transaction.TryCommit());
        }
        Assert.Equal([2, 3, 8], Drain(ring));
        Assert.Equal([8], Drain(full));
    }

    [Fact]
    public async Task What_can_never_fit_drops_nothing()
    {
        MappedQueue<Note> ring = Store.OpenQueue<Note>("ring", Narrow with { FullMode = FullMode.DropOldest });
        ring.Enqueue(QueueFixture.Of(1));
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(ring, QueueFixture.Of(2, 6000));
        Assert.Throws<ArgumentException>(() => transaction.TryCommit());
        Assert.Throws<ArgumentException>(() => transaction.Commit());
        await Assert.ThrowsAsync<ArgumentException>(() => transaction.CommitAsync().AsTask());
        Assert.Equal([1], Drain(ring));
    }

    [Fact]
    public async Task A_full_ring_whose_messages_are_leased_is_waited_for()
    {
        MappedQueue<Note> ring = Store.OpenQueue<Note>("ring", Narrow with { FullMode = FullMode.DropOldest });
        for (int id = 0; id < 4; id++)
        {
            ring.Enqueue(QueueFixture.Of(id, 1000));
        }
        Lease<Note> held = ring.Subscribe("default").Receive();
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(ring, QueueFixture.Of(8, 2000));
        Assert.False(transaction.TryCommit());
        Task committing = transaction.CommitAsync().AsTask();
        Assert.NotSame(committing, await Task.WhenAny(committing, Task.Delay(50)));
        held.Commit();
        await committing.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(8, Drain(ring)[^1]);
    }

    // More than is written behind the store's commit lock; over dozens of segments in each queue.
    [Fact]
    public void A_long_transaction_is_one_too()
    {
        Fill(2);
        using QueueTransaction transaction = Store.Begin(), cancelled = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        MappedQueue<Note> second = Store.OpenQueue<Note>("second");
        for (int id = 0; id < 30; id++)
        {
            transaction.EnqueueToAll(QueueFixture.Of(id, 100_000), To, second);
            cancelled.EnqueueToAll(QueueFixture.Of(id, 100_000), second, To);
        }
        Assert.Throws<OperationCanceledException>(() => cancelled.Commit(new CancellationToken(true)));
        transaction.Commit();
        Assert.Equal(Enumerable.Range(0, 30).Select(static id => (long)id), Drain(To));
        Assert.Equal(Enumerable.Range(0, 30).Select(static id => (long)id), Drain(second));
        Assert.Equal([1], Drain(From));
    }

    [Fact]
    public void Long_transactions_over_the_same_queues_in_any_order_all_get_on()
    {
        const int Each = 6;
        MappedQueue<Note> second = Store.OpenQueue<Note>("second");
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, thread =>
        {
            for (int i = 0; i < Each; i++)
            {
                using QueueTransaction transaction = Store.Begin();
                Note note = QueueFixture.Of((thread * Each) + i, thread == 3 ? 100 : 700_000);
                transaction.EnqueueToAll(note, thread % 2 == 0 ? [To, second] : [second, To]);
                transaction.Commit();
            }
        });
        long[] arrived = Drain(To);
        Assert.Equal(Enumerable.Range(0, 4 * Each).Select(static id => (long)id), arrived.Order());
        Assert.Equal(arrived, Drain(second));
    }

    [Fact]
    public async Task A_failed_queue_says_by_data_what_had_become_of_the_call()
    {
        MappedQueue<Note> durable = Store.OpenQueue<Note>("to", Small with { Durability = Durability.Commit });
        durable.Enqueue(QueueFixture.Of(0));
        // As another process leaves it whose disk has refused, and which was killed before it took the append lock for good.
        durable.Store.Control.Failed = ControlFormat.FailedWord(5, 1);
        Assert.Equal(FailureOutcome.Committed, Assert.Throws<QueueFailedException>(() => durable.Enqueue(QueueFixture.Of(1))).Outcome);
        Assert.Equal(FailureOutcome.NothingDone, Assert.Throws<QueueFailedException>(() => durable.Enqueue(QueueFixture.Of(2))).Outcome);
        Assert.Equal(FailureOutcome.NothingDone,
            (await Assert.ThrowsAsync<QueueFailedException>(() => To.EnqueueAsync(QueueFixture.Of(3)).AsTask())).Outcome);
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueToAll(QueueFixture.Of(4), From, To);
            Assert.Equal(FailureOutcome.NothingDone, Assert.Throws<QueueFailedException>(() => transaction.Commit()).Outcome);
        }
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueToAll(QueueFixture.Of(4), From, durable);
            QueueFailedException refused = Assert.Throws<QueueFailedException>(() => transaction.Commit());
            Assert.Equal(FailureOutcome.NothingDone, refused.Outcome);
            Assert.DoesNotContain("enqueued and visible", refused.Message, StringComparison.Ordinal);
        }
        Assert.Equal([0, 1], Drain(To));
        Assert.Empty(Drain(From));
    }

    // As many as it has cells for leases, whatever a transaction could name.
    [Fact]
    public void A_subscription_gives_a_transaction_no_more_messages_than_it_can_lease()
    {
        Fill(SubscriptionFormat.Cells + 1);
        using QueueTransaction transaction = Store.Begin();
        int received = 0;
        Record.Exception(() =>
        {
            for (; transaction.TryReceive(From, ref _note); received++)
            {
            }
        });
        Assert.InRange(received, 2000, SubscriptionFormat.Cells);
        transaction.Commit();
        Assert.Equal(SubscriptionFormat.Cells + 1 - received, Drain(From).Length);
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.EnumerateFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }
}
