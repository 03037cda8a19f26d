using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

/// <summary>What takes long is prepared without the append lock, and with it shows that its holder is at work.</summary>
public sealed class LongAppendTests : QueueFixture
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // Messages of other lengths fill segments differently, and those of 200,000 bytes go over several.
    [Theory]
    [InlineData(1000, 30)]
    [InlineData(1000, 30_000)]
    [InlineData(200, 33_000)]
    [InlineData(1, 60_000)]
    [InlineData(20, 200_000)]
    [InlineData(1, 3_000_000)]
    public void All_segments_that_a_batch_needs_are_asked_for_before_any_of_it_is_written(int count, int length)
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(0, 40_000));
        using var staged = StagedBatch.Rent();
        queue.Producer.Stage(Enumerable.Range(1, count).Select(id => Of(id, length + (id % 7))).ToArray(), staged);
        Appender<MachineMemory> appender = queue.Producer.Appender;
        using (CallGate.Call call = queue.Store.Gate.Enter())
        {
            long tail = queue.Store.Control.Tail;
            appender.Open(Patience);
            long end = tail + appender.Extent(staged);
            AppendOutcome outcome = appender.PublishStaged(staged, out long needed, out _);
            if (outcome == AppendOutcome.NeedsSegment)
            {
                Assert.Equal(tail, queue.Store.Control.Tail);
                appender.MakeSegments(needed, Patience, default);
                appender.Open(Patience);
                outcome = appender.PublishStaged(staged, out needed, out _);
            }
            Assert.Equal(AppendOutcome.Published, outcome);
            Assert.Equal(end, queue.Store.Control.Tail);
            Assert.Equal(end / (1 << 16), needed);
        }
        Assert.Equal(Enumerable.Range(0, count + 1).Select(static id => (long)id), Drain(queue));
    }

    [Fact]
    public void What_a_batch_takes_is_known_to_the_byte_before_it_is_written()
    {
        using MappedQueue<Note> queue = Open();
        Appender<MachineMemory> appender = queue.Producer.Appender;
        var random = new Random(15);
        for (int round = 0; round < 400; round++)
        {
            using var staged = StagedBatch.Rent();
            int longest = random.Next(4) switch { 0 => 20, 1 => 3000, 2 => 64_000, _ => 200_000 },
                count = random.Next(1, Math.Max(2, 300_000 / longest % 400));
            MessageProperties? properties = random.Next(2) == 0 ? null : new MessageProperties
            {
                Label = new string('l', random.Next(1, 200)),
            };
            queue.Producer.Stage([.. Enumerable.Range(0, count).Select(id => Of(id, random.Next(longest)))], staged, properties);
            using (CallGate.Call call = queue.Store.Gate.Enter())
            {
                appender.Open(Patience);
                long end = appender.Position + appender.Extent(staged);
                if (appender.PublishStaged(staged, out long needed, out _) == AppendOutcome.NeedsSegment)
                {
                    appender.MakeSegments(needed, Patience, default);
                    appender.Open(Patience);
                    Assert.Equal(AppendOutcome.Published, appender.PublishStaged(staged, out needed, out _));
                }
                Assert.Equal((end, end / (1 << 16)), (queue.Store.Control.Tail, needed));
            }
            Assert.Equal(count, Drain(queue).Length);
        }
    }

    [Fact]
    public void Nothing_is_dropped_for_what_is_not_enqueued()
    {
        using MappedQueue<Note> ring = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 200_000, FullMode = FullMode.DropOldest });
        ring.EnqueueBatch([.. Enumerable.Range(0, 6).Select(static id => Of(id, 30_000))]);
        using Subscription<Note> subscription = ring.Subscribe("default");
        using var staged = StagedBatch.Rent();
        ring.Producer.Stage([Of(6, 150_000)], staged);
        using (CallGate.Call call = ring.Store.Gate.Enter())
        {
            ring.Producer.Appender.Open(Patience);
            Assert.Equal(AppendOutcome.NeedsSegment, ring.Producer.Appender.PublishStaged(staged, out _, out _, ring.Producer));
        }
        Assert.Equal(0, subscription.Dropped);
        ring.Enqueue(Of(6, 150_000));
        Assert.InRange(subscription.Dropped, 1, 5);
        Assert.Equal(6, Drain(ring)[^1]);
    }

    [Fact]
    public void A_cancelled_call_makes_no_segments()
    {
        using MappedQueue<Note> queue = Open();
        using CallGate.Call call = queue.Store.Gate.Enter();
        long ready = queue.Store.Control.AllocatedEnd;
        Assert.Throws<OperationCanceledException>(() => queue.Producer.Appender.MakeSegments(40, Patience, new CancellationToken(true)));
        Assert.Equal(ready, queue.Store.Control.AllocatedEnd);
        queue.Producer.Appender.MakeSegments(40, Patience, default);
        Assert.InRange(queue.Store.Control.AllocatedEnd, 41, 42);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public void A_holder_of_the_append_lock_that_copies_shows_that_it_is_at_work(int count)
    {
        using MappedQueue<Note> queue = Open();
        long before = queue.Store.Control.Progress;
        queue.EnqueueBatch(Enumerable.Range(0, count).Select(id => Of(id, 20_000_000 / count)).ToArray());
        Assert.InRange(queue.Store.Control.Progress - before, 20_000_000 >> 18, long.MaxValue);
        Assert.Equal(count, Drain(queue).Length);
    }

    // While it is packed nobody shows anything: it is packed in the log only as long as that is short.
    [Fact]
    public void A_long_message_is_packed_without_the_turn()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 64 << 20 });
        Note? note = null;
        // All of the first segment is reserved from then on.
        queue.Enqueue(Of(0, 20_000_000));
        queue.Dequeue(ref note);
        using (CallGate.Call call = queue.Store.Gate.Enter())
        {
            Assert.Equal(PackWriter.MostInPlace, queue.Producer.Appender.Open(Patience).Length);
            queue.Producer.Appender.ReleaseLock();
        }
        foreach (int length in new[] { PackWriter.MostInPlace / 2, PackWriter.MostInPlace, 20_000_000 })
        {
            queue.Enqueue(Of(length, length));
            Assert.True(queue.TryEnqueue(Of(length, length)));
            queue.Enqueue(Of(length, length), new MessageProperties { Label = "long" });
        }
        for (int i = 0; i < 9; i++)
        {
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal(note!.Id, note.Text!.Length);
        }
    }
}
