using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Who uses what was disposed is told what it was: by the type that the program knows, and the queue or subscription.</summary>
public sealed class DisposedTests : QueueFixture
{
    [Fact]
    public async Task A_disposed_subscription_says_which_one_it_was()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1));
        Subscription<Note> audit = queue.Subscribe("audit"), alone = queue.Subscribe("alone", new SubscriptionOptions { Exclusive = true });
        audit.Dispose();
        alone.Dispose();
        Note? note = null;
        foreach ((Subscription<Note> one, string name) in new[] { (audit, "'audit'"), (alone, "'alone'") })
        {
            AssertTold(() => one.TryDequeue(ref note), "Subscription", name);
            AssertTold(() => one.TryReceive(out _), "Subscription", name);
            AssertTold(() => one.TryDequeue(new Note?[2]), "Subscription", name);
            AssertTold(() => one.Dequeue(ref note), "Subscription", name);
            AssertTold(() => one.TryPeek(ref note), "Subscription", name);
            AssertTold(() => one.Seek(QueuePosition.Oldest), "Subscription", name);
            AssertTold(() => one.Seek(DateTime.UtcNow), "Subscription", name);
            AssertTold(await Assert.ThrowsAsync<ObjectDisposedException>(async () => await one.DequeueAsync()), "Subscription", name);
        }
    }

    [Fact]
    public void Calls_on_a_disposed_subscription_keep_nobody_and_count_as_no_delivery()
    {
        using MappedQueue<Note> queue = Open();
        using (Subscription<Note> other = queue.Subscribe("watch", new SubscriptionOptions { Ephemeral = true }))
        {
            Subscription<Note> watch = queue.Subscribe("watch", new SubscriptionOptions { Ephemeral = true, MaxAttempts = 3 });
            queue.Enqueue(Of(1));
            other.Receive().Abandon();
            watch.Dispose();
            Note? note = null;
            for (int i = 0; i < 12; i++)
            {
                AssertTold(() => watch.TryReceive(out _), "Subscription", "'watch'");
                AssertTold(() => watch.TryDequeue(ref note), "Subscription", "'watch'");
                AssertTold(() => watch.TryDequeue(new Note?[2]), "Subscription", "'watch'");
                AssertTold(() => watch.SkipCorrupt(), "Subscription", "'watch'");
            }
            Assert.True(other.TryReceive(out Lease<Note> lease));
            Assert.Equal(2, lease.Attempt);
            lease.Commit();
            Assert.Empty(other.DeadLetters);
        }
        // Its last consumer was disposed.
        Assert.DoesNotContain(queue.GetStatus().Subscriptions, static one => one.Name == "watch");
    }

    [Fact]
    public async Task Receiving_beside_a_disposal_counts_no_delivery_that_was_none()
    {
        using MappedQueue<Note> queue = Open();
        var forEver = new SubscriptionOptions { MaxAttempts = int.MaxValue };
        using Subscription<Note> other = queue.Subscribe("audit", forEver);
        queue.Enqueue(Of(1));
        other.Receive().Abandon();
        int delivered = 1;
        for (int round = 0; round < 300; round++)
        {
            Subscription<Note> audit = queue.Subscribe("audit", forEver);
            var worker = Task.Run(() =>
            {
                try
                {
                    for (int times = 0; times < 20;)
                    {
                        if (audit.TryReceive(out Lease<Note> lease))
                        {
                            times++;
                            Interlocked.Increment(ref delivered);
                            lease.Abandon();
                        }
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            });
            Thread.SpinWait(round * 20);
            audit.Dispose();
            await worker;
        }
        using Lease<Note> last = other.Receive();
        Assert.Equal(delivered + 1, last.Attempt);
    }

    [Fact]
    public async Task A_call_that_waits_when_its_subscription_is_disposed_says_which_one_it_was()
    {
        using MappedQueue<Note> queue = Open();
        Subscription<Note> audit = queue.Subscribe("audit");
        Task waiting = audit.DequeueAsync().AsTask();
        audit.Dispose();
        AssertTold(await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting), "Subscription", "'audit'");
    }

    [Fact]
    public async Task A_disposed_queue_says_which_one_it_was()
    {
        MappedQueue<Note> queue = Open();
        Subscription<Note> audit = queue.Subscribe("audit");
        Task waiting = audit.DequeueAsync().AsTask();
        queue.Dispose();
        Note? note = null;
        AssertTold(() => queue.Enqueue(Of(1)), "MappedQueue", Site.Queue);
        AssertTold(() => queue.TryDequeue(ref note), "MappedQueue", Site.Queue);
        AssertTold(() => queue.GetStatus(), "MappedQueue", Site.Queue);
        AssertTold(() => audit.TryDequeue(ref note), "MappedQueue", Site.Queue);
        AssertTold(await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting), "MappedQueue", Site.Queue);
    }

    [Fact]
    public void Cursors_readers_stores_and_transactions_say_so_too()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        QueueCursor<Note> cursor = queue.OpenCursor(QueuePosition.Oldest);
        cursor.Dispose();
        AssertTold(() => cursor.TryRead(ref note), "QueueCursor", Site.Queue);
        AssertTold(() => cursor.Seek(QueuePosition.Oldest), "QueueCursor", Site.Queue);
        var reader = QueueReader<Note>.Open(Site.Queue);
        reader.Dispose();
        AssertTold(() => reader.TryRead(ref note), "QueueReader", Site.Queue);
        string root = Path.Combine(Site.Root, "store");
        var store = MappedStore.Open(root);
        QueueTransaction transaction = store.Begin();
        transaction.Dispose();
        AssertTold(() => transaction.Commit(), "QueueTransaction", root);
        store.Dispose();
        AssertTold(() => store.Begin(), "MappedStore", root);
        AssertTold(() => store.OpenQueue<Note>("notes"), "MappedStore", root);
    }

    private static void AssertTold(Action call, string type, string which)
        => AssertTold(Assert.Throws<ObjectDisposedException>(call), type, which);

    private static void AssertTold(ObjectDisposedException exception, string type, string which)
    {
        Assert.Equal(type, exception.ObjectName);
        Assert.Contains(which, exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("BlitQueue.Segments", exception.Message, StringComparison.Ordinal);
    }
}
