using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Received from some queues and sent to others: all of it or nothing.</summary>
public sealed class TransactionTests : StoreFixture
{
    private Note? _note;

    [Fact]
    public void What_was_received_and_sent_happens_at_the_commit_and_not_before()
    {
        Fill(3);
        using (QueueTransaction transaction = Store.Begin())
        {
            Assert.True(transaction.TryReceive(From, ref _note));
            transaction.Enqueue(To, QueueFixture.Of(100 + _note!.Id));
            transaction.EnqueueBatch(To, [QueueFixture.Of(200), QueueFixture.Of(201)]);
            Assert.Empty(Drain(To));
            Assert.Equal(1, From.GetStatus().Subscriptions[0].InFlight);
            transaction.Commit();
        }
        Assert.Equal([100, 200, 201], Drain(To));
        Assert.Equal([1, 2], Drain(From));
        Assert.Equal(0, From.GetStatus().MessageCount);
    }

    [Fact]
    public void Dispose_without_commit_gives_back_in_the_old_order_as_another_attempt()
    {
        Fill(3);
        Subscription<Note> subscription = From.Subscribe("default");
        using (QueueTransaction transaction = Store.Begin())
        {
            Assert.True(transaction.TryReceive(subscription, ref _note));
            Assert.True(transaction.TryReceive(subscription, ref _note));
            transaction.Enqueue(To, QueueFixture.Of(9));
        }
        Assert.Empty(Drain(To));
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Assert.Equal(2, lease.Attempt);
        lease.ReadInto(ref _note);
        Assert.Equal(0, _note!.Id);
        lease.Commit();
        Assert.Equal([1, 2], Drain(From));
    }

    [Fact]
    public void A_rollback_gives_back_and_ends_the_transaction()
    {
        Fill(1);
        using QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        transaction.Enqueue(To, QueueFixture.Of(9));
        transaction.Rollback();
        Assert.Empty(Drain(To));
        Assert.Equal([0], Drain(From));
        Assert.Contains(
            "rolled back", Assert.Throws<InvalidOperationException>(() => transaction.Commit()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_transaction_that_is_over_is_of_no_use()
    {
        Fill(2);
        QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        transaction.Commit();
        Assert.Contains(
            "committed already", Assert.Throws<InvalidOperationException>(() => transaction.Commit()).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => transaction.TryCommit());
        Assert.Throws<InvalidOperationException>(transaction.Rollback);
        Assert.Throws<InvalidOperationException>(() => transaction.Enqueue(To, QueueFixture.Of(1)));
        Assert.Throws<InvalidOperationException>(() => transaction.TryReceive(From, ref _note));
        transaction.Dispose();
        transaction.Dispose();
        Assert.Throws<ObjectDisposedException>(() => transaction.Commit());
        Assert.Throws<ObjectDisposedException>(transaction.Rollback);
        Assert.Throws<ObjectDisposedException>(() => transaction.EnqueueToAll(QueueFixture.Of(1), To));
        Assert.Equal([1], Drain(From));
    }

    [Fact]
    public void Queues_that_the_store_has_not_opened_are_refused()
    {
        using var other = MappedStore.Open(Path.Combine(Site.Root, "other"), Small);
        MappedQueue<Note> foreign = other.OpenQueue<Note>("from");
        using var alone = MappedQueue<Note>.Open(From.Path);
        using QueueTransaction transaction = Store.Begin();
        foreach (MappedQueue<Note> queue in new[] { foreign, alone })
        {
            Assert.Contains(
                queue.Path, Assert.Throws<ArgumentException>(() => transaction.TryReceive(queue, ref _note)).Message,
                StringComparison.Ordinal);
            Assert.Throws<ArgumentException>(() => transaction.TryReceive(queue.Subscribe("default"), ref _note));
            Assert.Throws<ArgumentException>(() => transaction.Enqueue(queue, QueueFixture.Of(1)));
            Assert.Throws<ArgumentException>(() => transaction.EnqueueToAll(QueueFixture.Of(1), To, queue));
        }
        transaction.Commit();
        Assert.Empty(Drain(To));
    }

    [Fact]
    public void A_message_goes_to_all_or_none()
    {
        MappedQueue<Note>[] recipients = [.. Enumerable.Range(0, 20).Select(number => Store.OpenQueue<Note>($"to-{number}"))];
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueToAll(QueueFixture.Of(1), recipients);
            transaction.EnqueueToAll(QueueFixture.Of(2), recipients[0], recipients[1]);
            transaction.Commit();
        }
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueToAll(QueueFixture.Of(3), recipients);
        }
        Assert.All(recipients[..2], static queue => Assert.Equal([1, 2], Drain(queue)));
        Assert.All(recipients[2..], static queue => Assert.Equal([1], Drain(queue)));
    }

    [Fact]
    public void A_message_that_is_refused_leaves_the_transaction_as_it_was()
    {
        MappedQueue<Note> narrow = Store.OpenQueue<Note>("narrow", Small with { MaxMessageSize = 100 });
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(narrow, QueueFixture.Of(1));
        Assert.Contains("100", Assert.Throws<ArgumentException>(
            () => transaction.EnqueueBatch(narrow, [QueueFixture.Of(2), QueueFixture.Of(3, 500)])).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => transaction.EnqueueToAll(QueueFixture.Of(4, 500), To, narrow));
        Assert.Throws<ArgumentNullException>(() => transaction.EnqueueBatch(To, [QueueFixture.Of(5), null!]));
        Assert.Throws<ArgumentNullException>(() => transaction.Enqueue<Note>(To, null!));
        transaction.Enqueue(narrow, QueueFixture.Of(6));
        transaction.Commit();
        Assert.Equal([1, 6], Drain(narrow));
        Assert.Empty(Drain(To));
    }

    [Fact]
    public void Nothing_is_received_or_sent_anywhere_where_one_queue_is_full()
    {
        Fill(1);
        MappedQueue<Note> full = Store.OpenQueue<Note>("full", Small with { Capacity = 5000, FullMode = FullMode.Fail });
        while (full.TryEnqueue(QueueFixture.Of(7, 1000)))
        {
        }
        using QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        transaction.EnqueueToAll(QueueFixture.Of(8, 1000), To, full);
        Assert.Contains("5000", Assert.Throws<QueueFullException>(() => transaction.Commit()).Message, StringComparison.Ordinal);
        Assert.False(transaction.TryCommit());
        Assert.Empty(Drain(To));
        Assert.Equal(1, From.GetStatus().Subscriptions[0].InFlight);
        Drain(full);
        transaction.Commit();
        Assert.Equal([8], Drain(To));
        Assert.Equal([8], Drain(full));
        Assert.Equal(0, From.GetStatus().MessageCount);
    }

    [Fact]
    public void What_was_written_for_a_commit_that_failed_does_not_come_back_by_a_damage_there()
    {
        MappedQueue<Note> full = Store.OpenQueue<Note>("full", Small with { Capacity = 5000, FullMode = FullMode.Fail });
        full.Enqueue(QueueFixture.Of(5, 3000));
        To.Enqueue(QueueFixture.Of(1, 1000));
        Assert.Equal([1], Drain(To));
        long begun = To.GetStatus().Next.Value;
        using (QueueTransaction transaction = Store.Begin())
        {
            transaction.EnqueueBatch(To, [QueueFixture.Of(2, 100), QueueFixture.Of(3, 100), QueueFixture.Of(4, 100)]);
            transaction.Enqueue(full, QueueFixture.Of(6, 3000));
            Assert.Throws<QueueFullException>(() => transaction.Commit());
        }
        // It does not fit there, and the padding in its place is damaged.
        To.Enqueue(QueueFixture.Of(8, 60_500));
        using (FileStream file = File.Open(
            Path.Combine(Site.Root, "store", "to", StoreFormat.SegmentName(0)), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
        {
            file.Position = begun;
            file.Write([0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA]);
        }
        Assert.Throws<QueueCorruptException>(() => Drain(To));
        Assert.True(To.SkipCorrupt());
        Assert.Equal([8], Drain(To));
    }

    [Fact]
    public void A_commit_waits_for_room_and_lets_others_commit_meanwhile()
    {
        Fill(2);
        MappedQueue<Note> full = Store.OpenQueue<Note>("full", Small with { Capacity = 5000 });
        while (full.TryEnqueue(QueueFixture.Of(7, 1000)))
        {
        }
        Exception? thrown = null;
        var committer = new Thread(() => thrown = Record.Exception(() =>
        {
            using QueueTransaction transaction = Store.Begin();
            transaction.EnqueueToAll(QueueFixture.Of(8, 1000), To, full);
            transaction.Commit();
        }));
        committer.Start();
        Assert.False(committer.Join(100));
        using (QueueTransaction other = Store.Begin())
        {
            Assert.True(other.TryReceive(full, ref _note));
            other.Enqueue(To, QueueFixture.Of(9));
            other.Commit();
        }
        Assert.True(committer.Join(TimeSpan.FromSeconds(30)));
        Assert.Null(thrown);
        Assert.Equal([9, 8], Drain(To));
        using QueueTransaction cancelled = Store.Begin();
        cancelled.Enqueue(full, QueueFixture.Of(8, 1000));
        using var soon = new CancellationTokenSource(50);
        Assert.Throws<OperationCanceledException>(() => cancelled.Commit(soon.Token));
    }

    [Fact]
    public async Task A_commit_waits_for_room_without_a_thread()
    {
        MappedQueue<Note> full = Store.OpenQueue<Note>("full", Small with { Capacity = 5000 });
        while (full.TryEnqueue(QueueFixture.Of(7, 1000)))
        {
        }
        using QueueTransaction transaction = Store.Begin();
        ValueTask<Note> receiving = transaction.ReceiveAsync(From.Subscribe("default"));
        Assert.False(receiving.IsCompleted);
        Fill(1);
        Assert.Equal(0, (await receiving).Id);
        transaction.EnqueueToAll(QueueFixture.Of(8, 1000), To, full);
        Task committing = transaction.CommitAsync().AsTask();
        Assert.NotSame(committing, await Task.WhenAny(committing, Task.Delay(100)));
        Drain(full);
        await committing.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal([8], Drain(To));
        using QueueTransaction hopeless = Store.Begin();
        hopeless.Enqueue(full, QueueFixture.Of(1, 20_000));
        await Assert.ThrowsAsync<ArgumentException>(() => hopeless.CommitAsync().AsTask());
    }

    [Fact]
    public void The_oldest_are_dropped_where_that_was_chosen()
    {
        MappedQueue<Note> ring = Store.OpenQueue<Note>("ring", Small with { Capacity = 5000, FullMode = FullMode.DropOldest });
        for (int id = 0; id < 10; id++)
        {
            using QueueTransaction transaction = Store.Begin();
            transaction.EnqueueToAll(QueueFixture.Of(id, 1000), To, ring);
            Assert.True(transaction.TryCommit());
        }
        Assert.Equal([6, 7, 8, 9], Drain(ring));
        Assert.Equal(10, Drain(To).Length);
    }

    // 300 messages of 1 KB over segments of 64 KiB, then one that is longer than a segment.
    [Fact]
    public void What_is_sent_may_take_many_segments_in_each_queue()
    {
        MappedQueue<Note> second = Store.OpenQueue<Note>("second");
        using QueueTransaction transaction = Store.Begin();
        for (int id = 0; id < 300; id++)
        {
            transaction.EnqueueToAll(QueueFixture.Of(id, 1000), To, second);
        }
        transaction.EnqueueToAll(QueueFixture.Of(300, 200_000), To, second);
        transaction.Commit();
        Assert.Equal(Enumerable.Range(0, 301).Select(static id => (long)id), Drain(To));
        Assert.Equal(Enumerable.Range(0, 301).Select(static id => (long)id), Drain(second));
    }

    [Fact]
    public void Two_transactions_on_one_thread_are_two()
    {
        Fill(2);
        using QueueTransaction outer = Store.Begin(), inner = Store.Begin();
        Note? second = null;
        Assert.True(outer.TryReceive(From, ref _note) && inner.TryReceive(From, ref second));
        outer.Enqueue(To, _note!);
        inner.Enqueue(To, second!);
        inner.Commit();
        outer.Rollback();
        Assert.Equal([1], Drain(To));
        Assert.Equal([0], Drain(From));
    }

    [Fact]
    public void Threads_that_transfer_at_once_lose_and_double_nothing()
    {
        const int Count = 4000, Threads = 4;
        Fill(Count);
        MappedQueue<Note> second = Store.OpenQueue<Note>("second");
        Parallel.For(0, Threads, new ParallelOptions { MaxDegreeOfParallelism = Threads }, _ =>
        {
            Note? note = null;
            for (bool any = true; any;)
            {
                using QueueTransaction transaction = Store.Begin();
                any = false;
                for (int i = 0; i < 3 && transaction.TryReceive(From, ref note); i++)
                {
                    any = true;
                    transaction.EnqueueToAll(note!, To, second);
                }
                transaction.Commit();
            }
        });
        long[] arrived = Drain(To);
        Assert.Equal(Enumerable.Range(0, Count).Select(static id => (long)id), arrived.Order());
        Assert.Equal(arrived, Drain(second));
        Assert.Empty(Drain(From));
    }

    [Fact]
    public void A_message_goes_round_in_its_own_queue()
    {
        Fill(2);
        using (QueueTransaction transaction = Store.Begin())
        {
            Assert.True(transaction.TryReceive(From, ref _note));
            transaction.Enqueue(From, _note!);
            transaction.Commit();
        }
        Assert.Equal([1, 0], Drain(From));
    }

    [Fact]
    public void What_a_durable_transaction_sends_is_durable_when_it_is_committed()
    {
        Fill(1);
        MappedQueue<Note> durable = Store.OpenQueue<Note>("durable", Small with { Durability = Durability.Commit });
        using QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        transaction.EnqueueToAll(_note!, To, durable);
        transaction.Commit();
        Assert.Equal(durable.Sync.Log.Published, durable.Sync.Log.Durable);
        Assert.Equal(To.Sync.Log.Published, To.Sync.Log.Durable);
        Assert.NotEqual(From.Sync.Log.Published, From.Sync.Log.Durable);
        Assert.Equal([0], Drain(durable));
    }

    [Fact]
    public void An_exclusive_subscription_gives_a_transaction_one_message_after_the_other()
    {
        Fill(3);
        using Subscription<Note> strict = From.Subscribe("strict", new SubscriptionOptions { Exclusive = true });
        using (QueueTransaction transaction = Store.Begin())
        {
            Assert.True(transaction.TryReceive(strict, ref _note) && _note!.Id == 0);
            Assert.Throws<InvalidOperationException>(() => transaction.TryReceive(strict, ref _note));
        }
        for (int id = 0; id < 3; id++)
        {
            using QueueTransaction transaction = Store.Begin();
            Assert.True(transaction.TryReceive(strict, ref _note) && _note!.Id == id);
            transaction.Enqueue(To, _note!);
            transaction.Commit();
        }
        Assert.Equal([0, 1, 2], Drain(To));
    }

    [Fact]
    public void Two_handles_of_a_queue_are_one_queue()
    {
        MappedQueue<Note> again = Store.OpenQueue<Note>("to");
        using QueueTransaction transaction = Store.Begin();
        transaction.Enqueue(To, QueueFixture.Of(1));
        transaction.Enqueue(again, QueueFixture.Of(2));
        transaction.Commit();
        Assert.Equal([1, 2], Drain(again));
    }

    [Fact]
    public void A_message_that_another_consumer_has_by_now_fails_the_commit()
    {
        Fill(2);
        var impatient = new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(20) };
        using Subscription<Note> slow = From.Subscribe("default", impatient), quick = From.Subscribe("default", impatient);
        using QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(slow, ref _note));
        transaction.Enqueue(To, _note!);
        Lease<Note> stolen = default;
        Assert.True(SpinWait.SpinUntil(() => quick.TryReceive(out stolen) && stolen.Attempt == 2, TimeSpan.FromSeconds(30)));
        Assert.Contains("visibility", Assert.Throws<LeaseLostException>(() => transaction.Commit()).Message, StringComparison.Ordinal);
        transaction.Rollback();
        Assert.Empty(Drain(To));
        stolen.Commit();
    }

    [Fact]
    public void More_than_a_transaction_can_name_is_refused()
    {
        Fill(4100);
        using QueueTransaction transaction = Store.Begin();
        Subscription<Note>[] subscriptions = [From.Subscribe("default"), From.Subscribe("second"), From.Subscribe("third")];
        for (int i = 0; i < 4096; i++)
        {
            Assert.True(transaction.TryReceive(subscriptions[i / 2000], ref _note));
        }
        Assert.Contains("4096", Assert.Throws<InvalidOperationException>(
            () => transaction.TryReceive(subscriptions[2], ref _note)).Message, StringComparison.Ordinal);
        MappedQueue<Note>[] queues = [.. Enumerable.Range(0, 65).Select(number => Store.OpenQueue<Note>($"q{number}"))];
        Assert.Contains(
            "64", Assert.Throws<ArgumentException>(() => transaction.EnqueueToAll(QueueFixture.Of(1), queues)).Message,
            StringComparison.Ordinal);
        transaction.Rollback();
        using QueueTransaction full = Store.Begin();
        for (int i = 0; i < 4096; i++)
        {
            Assert.True(full.TryReceive(subscriptions[i / 2000], ref _note));
        }
        full.EnqueueToAll(QueueFixture.Of(1), queues[..63]);
        full.Commit();
        Assert.All(queues[..63], static queue => Assert.Equal([1], Drain(queue)));
        Assert.Equal(2100, Drain(From).Length);
    }

    [Fact]
    public void A_transaction_of_a_store_that_was_disposed_fails_and_its_messages_are_kept()
    {
        Fill(1);
        QueueTransaction transaction = Store.Begin();
        Assert.True(transaction.TryReceive(From, ref _note));
        transaction.Enqueue(To, _note!);
        Store.Dispose();
        Assert.Throws<ObjectDisposedException>(() => transaction.Commit());
        transaction.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Store.Begin());
        Assert.Throws<ObjectDisposedException>(() => Store.OpenQueue<Note>("to"));
        using var again = MappedStore.Open(Store.Path, Small);
        Assert.Equal([0], Drain(again.OpenQueue<Note>("from")));
        Assert.Empty(Drain(again.OpenQueue<Note>("to")));
    }
}
