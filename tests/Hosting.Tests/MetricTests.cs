using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace BlitQueue.Hosting.Tests;

/// <summary>What the meter says, collected by the OpenTelemetry SDK; alone, because the meter is the process's.</summary>
[Collection(nameof(Alone))]
public sealed class MetricTests : PeerFixture
{
    private const string Sent = "messaging.client.sent.messages", Consumed = "messaging.client.consumed.messages";

    [Fact]
    public async Task Counts_are_what_was_done_in_every_way_of_sending_and_receiving()
    {
        using var metrics = new Collected();
        await using (var queue = MappedQueue<Job>.Open(QueuePath))
        {
            var job = new Job();
            queue.Enqueue(job);
            Assert.True(queue.TryEnqueue(job));
            queue.Enqueue(job, new MessageProperties { Label = "one" });
            queue.EnqueueBatch((ReadOnlySpan<Job>)[job, job, job]);
            Assert.True(queue.TryEnqueueBatch([job, job]));
            await queue.EnqueueAsync(job);
            await queue.EnqueueBatchAsync(new[] { job, job });
            Assert.True(queue.AsChannelWriter().TryWrite(job));
            Check(sent: 12, consumed: null, lag: 12, inFlight: 0);

            Job? got = null;
            Assert.True(queue.TryDequeue(ref got));
            Assert.True(queue.TryDequeue(ref got, new MessageProperties()));
            Assert.Equal(2, queue.TryDequeue(new Job?[2]));
            Check(12, consumed: 4, lag: 8, inFlight: 0);
            using (Subscription<Job> subscription = queue.Subscribe("default"))
            {
                Assert.True(subscription.TryReceive(out Lease<Job> lease));
                Assert.Equal(2, subscription.TryReceive(new Lease<Job>[2]));
                Check(12, consumed: 7, lag: 5, inFlight: 3);
                lease.Abandon();
                Check(12, consumed: 7, lag: 6, inFlight: 2);
                Assert.True(subscription.TryReceive(out lease));
                lease.DeadLetter("no");
                // A delivery counts each time.
                Check(12, consumed: 8, lag: 5, inFlight: 2);
            }
            metrics.Collect();
            Assert.Equal(1, metrics.Of("blitqueue.consumer.dead_letters", QueuePath, "default"));
            QueueStatus status = queue.GetStatus();
            Assert.Equal(status.MessageCount, metrics.Of("blitqueue.queue.depth", QueuePath));
            Assert.Equal(status.Bytes, metrics.Of("blitqueue.queue.bytes", QueuePath));
            Assert.Equal(0, metrics.Of("blitqueue.queue.failed", QueuePath));
            Assert.True(metrics.Of("blitqueue.queue.oldest_message.age", QueuePath, "default") > 0);
            Assert.Null(metrics.Of("blitqueue.queue.capacity", QueuePath));
        }
        // What was done stays; what is can be said by those who have the queue open.
        metrics.Collect();
        Assert.Equal((12, 8), (metrics.Of(Sent, QueuePath), metrics.Of(Consumed, QueuePath, "default")));
        Assert.Null(metrics.Of("blitqueue.queue.depth", QueuePath));
        Fill(3);
        metrics.Collect();
        Assert.Equal(15, metrics.Of(Sent, QueuePath));

        void Check(int sent, int? consumed, int lag, int inFlight)
        {
            metrics.Collect();
            Assert.Equal(sent, metrics.Of(Sent, QueuePath));
            Assert.Equal(consumed ?? 0, metrics.Of(Consumed, QueuePath, "default") ?? 0);
            Assert.Equal(lag, metrics.Of("blitqueue.consumer.lag", QueuePath, "default"));
            Assert.Equal(inFlight, metrics.Of("blitqueue.consumer.in_flight", QueuePath, "default"));
        }
    }

    [Fact]
    public void Two_handles_of_one_queue_are_one_row()
    {
        using var metrics = new Collected();
        using var one = MappedQueue<Job>.Open(QueuePath);
        using var other = MappedQueue<Job>.Open(QueuePath);
        one.Enqueue(new Job());
        other.Enqueue(new Job());
        Job? got = null;
        Assert.True(other.TryDequeue(ref got));
        Parallel.For(0, 4, _ =>
        {
            Job? mine = null;
            for (int i = 0; i < 1000; i++)
            {
                one.Enqueue(new Job { Id = i });
                one.Dequeue(ref mine);
            }
        });
        metrics.Collect();
        Assert.Equal((4002, 4001), (metrics.Of(Sent, QueuePath), metrics.Of(Consumed, QueuePath, "default")));
        Assert.Equal(1, metrics.Of("blitqueue.queue.depth", QueuePath));
    }

    [Fact]
    public async Task What_other_processes_do_is_seen_in_the_queue_and_not_in_the_own_counts_also_when_they_are_killed()
    {
        using var metrics = new Collected();
        using var queue = MappedQueue<Job>.Open(QueuePath);
        for (int id = 0; id < 6; id++)
        {
            queue.Enqueue(new Job { Id = id });
        }
        using (Process peer = Start(milliseconds: int.MaxValue, "deaf", seconds: 30))
        {
            await UntilAsync(() => Begun().Count == 4);
            metrics.Collect();
            Assert.Equal(
                (4, 1),
                (metrics.Of("blitqueue.consumer.in_flight", QueuePath, "default"),
                    metrics.Of("blitqueue.consumer.count", QueuePath, "default")));
            peer.Kill();
            await peer.WaitForExitAsync();
        }
        Job? got = null;
        for (int i = 0; i < 6; i++)
        {
            queue.Dequeue(ref got);
        }
        metrics.Collect();
        Assert.Equal(
            (6, 6, 0, 0),
            (metrics.Of(Sent, QueuePath), metrics.Of(Consumed, QueuePath, "default"), metrics.Of("blitqueue.queue.depth", QueuePath),
                metrics.Of("blitqueue.consumer.in_flight", QueuePath, "default")));
    }

    [Fact]
    public async Task Syncs_rolls_waits_and_handlers_are_told()
    {
        using var metrics = new Collected();
        await using var queue = MappedQueue<Job>.Open(
            QueuePath, new QueueOptions { Capacity = 64 << 10, SegmentSize = 64 << 10, Durability = Durability.Commit });
        for (int i = 0; i < 3; i++)
        {
            queue.Enqueue(new Job());
        }
        using var stop = new CancellationTokenSource();
        Task consuming = queue.ProcessAsync(static (_, _) => default, cancellationToken: stop.Token);
        await UntilAsync(() => queue.GetStatus().MessageCount == 0);
        metrics.Collect();
        Assert.Equal(3, metrics.Of("blitqueue.sync.duration", QueuePath));
        Assert.Equal(3, metrics.Of("messaging.process.duration", QueuePath, "default"));
        Assert.Equal((0, 65536), (metrics.Of("blitqueue.queue.rolls", QueuePath), metrics.Of("blitqueue.queue.capacity", QueuePath)));
        Assert.Equal(0, metrics.Of("blitqueue.queue.full_waits", QueuePath));
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => consuming);

        using var enough = new CancellationTokenSource();
        var filling = Task.Run(() =>
        {
            while (true)
            {
                queue.Enqueue(new Job { Text = new string('x', 5000) }, enough.Token);
            }
        });
        await UntilAsync(() =>
        {
            metrics.Collect();
            return metrics.Of("blitqueue.queue.full_waits", QueuePath) > 0;
        });
        await enough.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => filling);
        Job? got = null;
        while (queue.TryDequeue(ref got))
        {
        }
        for (int i = 0; i < 10; i++)
        {
            queue.Enqueue(new Job { Text = new string('x', 5000) });
        }
        metrics.Collect();
        Assert.Equal(1, metrics.Of("blitqueue.queue.rolls", QueuePath));
    }

    [Fact]
    public void Damage_that_reading_meets_is_counted_once_whatever_meets_it_and_stays_counted_when_the_queue_is_disposed()
    {
        using var metrics = new Collected();
        QueuePosition damaged;
        using (var queue = MappedQueue<Job>.Open(QueuePath, new QueueOptions { UseChecksums = true }))
        {
            queue.Enqueue(new Job { Id = 1 });
            damaged = queue.Enqueue(new Job { Id = 2, Text = new string('x', 100) });
            QueuePosition last = queue.Enqueue(new Job { Id = 3, Text = new string('y', 100) });
            queue.Enqueue(new Job { Id = 4 });
            Job? got = null;
            Assert.True(queue.TryDequeue(ref got));
            Assert.Equal(0, Count());
            FlipByteAt(damaged.Value + 60);
            for (int times = 0; times < 3; times++)
            {
                Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref got));
            }
            Assert.Equal(1, Count());
            using Subscription<Job> audit = queue.Subscribe("audit"), consumer = queue.Subscribe("default");
            Assert.Throws<QueueCorruptException>(() => consumer.TryReceive(new Lease<Job>[1]));
            using QueueCursor<Job> cursor = queue.OpenCursor(QueuePosition.Oldest);
            Assert.True(cursor.TryRead(ref got));
            Assert.Throws<QueueCorruptException>(() => cursor.TryRead(ref got));
            Assert.Equal(1, Count());
            Assert.True(queue.SkipCorrupt());
            // Another one, met by what had leased the message before.
            Assert.True(consumer.TryReceive(out Lease<Job> lease));
            FlipByteAt(last.Value + 60);
            Assert.Throws<QueueCorruptException>(() => lease.Read());
            Assert.Equal(2, Count());
            lease.Commit();
            Assert.True(queue.TryDequeue(ref got));
            Assert.Equal((4, 2), (got.Id, Count()));
        }
        Assert.Equal(2, Count());
        using (var again = MappedQueue<Job>.Open(QueuePath))
        {
            using Subscription<Job> audit = again.Subscribe("audit");
            Job? got = null;
            Assert.Throws<QueueCorruptException>(() => audit.TryPeek(ref got));
            Assert.Equal(3, Count());
        }

        double? Count()
        {
            metrics.Collect();
            return metrics.Of("blitqueue.corruption.count", QueuePath);
        }
    }

    [Fact]
    public void Damage_is_counted_that_readers_dead_letters_enqueues_subscriptions_and_openings_meet()
    {
        using var metrics = new Collected();
        using (var queue = MappedQueue<Job>.Open(QueuePath, new QueueOptions { UseChecksums = true, SegmentSize = 1 << 16 }))
        {
            QueuePosition damaged = queue.Enqueue(new Job { Id = 1, Text = new string('x', 100) });
            using Subscription<Job> subscription = queue.Subscribe("default"), audit = queue.Subscribe("audit");
            audit.Receive().DeadLetter(new string('r', 100));
            FlipByteAt(damaged.Value + 60);
            for (int readers = 1; readers <= 2; readers++)
            {
                using var reader = QueueReader<Job>.Open(QueuePath);
                Job? got = null;
                Assert.Throws<QueueCorruptException>(() => reader.TryRead(ref got));
                Assert.Throws<QueueCorruptException>(() => reader.TryReadBytes(out _));
                Assert.Equal(readers, Count());
            }
            FlipByteAt(4096 + 60, "dead-audit/segment-0000000000000000");
            DeadLetter<Job>? letter = null;
            Assert.Throws<QueueCorruptException>(() => audit.DeadLetters.TryPeek(ref letter));
            Assert.Throws<QueueCorruptException>(() => audit.DeadLetters.TryReceive(out _));
            Assert.Equal(3, Count());
            // docs/FORMAT.md, word "allocated end": how many segments are ready.
            FlipByteAt(1152 + 7, "queue.control");
            Assert.Throws<QueueCorruptException>(() => FillSegments(queue));
            Assert.Throws<QueueCorruptException>(() => FillSegments(queue));
            Assert.Equal(4, Count());
            FlipByteAt(1152 + 7, "queue.control");
            File.Copy(Path.Combine(QueuePath, "subscription-audit"), Path.Combine(QueuePath, "subscription-other"));
            FlipByteAt(0, "subscription-other");
            Assert.Throws<QueueCorruptException>(() => queue.Subscribe("other"));
            Assert.Equal(5, Count());
            File.Delete(Path.Combine(QueuePath, "subscription-other"));
        }
        FlipByteAt(60, "queue.meta");
        Assert.Throws<QueueCorruptException>(() => MappedQueue<Job>.Open(QueuePath + "/"));
        Assert.Throws<QueueCorruptException>(() => QueueReader<Job>.Open(QueuePath));
        Assert.Throws<QueueCorruptException>(() => MappedQueue.GetStatus(QueuePath));
        Assert.Equal(8, Count());

        double? Count()
        {
            metrics.Collect();
            return metrics.Of("blitqueue.corruption.count", QueuePath);
        }
    }

    private static void FillSegments(MappedQueue<Job> queue)
    {
        for (int i = 0; i < 20; i++)
        {
            queue.Enqueue(new Job { Text = new string('x', 10_000) });
        }
    }

    // In the queue's first segment, or another file of the queue.
    private void FlipByteAt(long offset, string file = "segment-0000000000000000")
    {
        using FileStream changed = File.Open(
            Path.Combine(QueuePath, file), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        changed.Position = offset;
        int before = changed.ReadByte();
        changed.Position = offset;
        changed.WriteByte((byte)(before ^ 0x20));
    }

    [Fact]
    public void No_instrument_has_a_disposed_queue_live_longer()
    {
        using var metrics = new Collected();
        WeakReference disposed = Use();
        for (int i = 0; i < 50 && disposed.IsAlive; i++)
        {
            metrics.Collect();
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(20);
        }
        Assert.False(disposed.IsAlive);
        Assert.Equal(1, metrics.Of(Sent, QueuePath));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference Use()
        {
            using var queue = MappedQueue<Job>.Open(QueuePath);
            queue.Enqueue(new Job());
            metrics.Collect();
            return new WeakReference(queue);
        }
    }
}
