using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class EnqueueTests : QueueFixture
{
    [Fact]
    public void Messages_come_out_as_they_went_in_and_in_order()
    {
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < 3000; id++)
        {
            queue.Enqueue(Of(id, id % 200));
        }
        Note? note = null;
        for (int id = 0; id < 3000; id++)
        {
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal((id, Of(id, id % 200).Text), (note!.Id, note.Text));
        }
        Assert.False(queue.TryDequeue(ref note));
    }

    [Fact]
    public void What_is_enqueued_before_the_first_consumer_is_kept()
    {
        using (MappedQueue<Note> queue = Open())
        {
            queue.Enqueue(Of(1));
        }
        using MappedQueue<Note> later = Open();
        Assert.Equal([1], Drain(later));
    }

    [Fact]
    public void Two_handles_in_one_process_are_two_participants_of_one_queue()
    {
        using MappedQueue<Note> first = Open();
        using MappedQueue<Note> second = Open();
        Thread[] threads = [.. new[] { first, second, first, second }.Select((queue, index) => new Thread(() =>
        {
            for (int i = 0; i < 2000; i++)
            {
                queue.Enqueue(Of((index * 2000) + i));
            }
        }))];
        Array.ForEach(threads, static thread => thread.Start());
        List<long> ids = [];
        Note? note = null;
        var tooLong = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (ids.Count < 8000)
        {
            (ids.Count % 2 == 0 ? first : second).Dequeue(ref note, tooLong.Token);
            ids.Add(note!.Id);
        }
        Array.ForEach(threads, static thread => thread.Join());
        Assert.Equal(Enumerable.Range(0, 8000).Select(static id => (long)id), ids.Order());
        Assert.All(ids.GroupBy(static id => id / 2000), static ofThread => Assert.Equal(ofThread.Order(), ofThread));
    }

    [Fact]
    public void Null_is_not_a_message()
    {
        using MappedQueue<Note> queue = Open();
        Assert.Throws<ArgumentNullException>(() => queue.Enqueue(null!));
        Assert.Throws<ArgumentNullException>(() => queue.TryEnqueue(null!));
        Assert.Throws<ArgumentNullException>(() => queue.EnqueueBatch([Of(1), null!]));
        queue.Enqueue(Of(2));
        Assert.Equal([2], Drain(queue));
    }

    [Theory]
    [InlineData(60_000)]
    [InlineData(61_424)]
    [InlineData(61_425)]
    [InlineData(65_536)]
    [InlineData(1 << 20)]
    public void A_message_of_any_size_fits_segments_of_64_KiB(int length)
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        for (int round = 0; round < 3; round++)
        {
            queue.Enqueue(Of(round));
            queue.Enqueue(Of(round + 10, length));
            Assert.True(queue.TryEnqueue(Of(round + 20, length)));
            Assert.True(queue.TryDequeue(ref note) && note!.Id == round);
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal(Of(round + 10, length).Text, note!.Text);
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal(Of(round + 20, length).Text, note!.Text);
        }
        Assert.False(queue.TryDequeue(ref note));
    }

    // At each distance from a segment's end, so that the record, its header and the header behind it meet the end in every way.
    [Fact]
    public void Records_end_at_every_distance_from_a_segments_end()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        long id = 0;
        for (int filling = 60_900; filling < 61_460; filling += 8)
        {
            queue.Enqueue(Of(id++, filling));
            queue.Enqueue(Of(id++, 20));
            queue.EnqueueBatch([Of(id++, 5), Of(id++, 5)]);
            for (long expected = id - 4; expected < id; expected++)
            {
                Assert.True(queue.TryDequeue(ref note));
                Assert.Equal(expected, note!.Id);
            }
        }
        Assert.False(queue.TryDequeue(ref note));
    }

    [Fact]
    public void A_batch_may_be_larger_than_segments()
    {
        using MappedQueue<Note> queue = Open();
        Note[] notes = [.. Enumerable.Range(0, 300).Select(static id => Of(id, id == 150 ? 200_000 : 1000))];
        queue.EnqueueBatch(notes);
        queue.EnqueueBatch([]);
        queue.EnqueueBatch([Of(300)]);
        Note? note = null;
        foreach (Note expected in notes)
        {
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal((expected.Id, expected.Text), (note!.Id, note.Text));
        }
        Assert.Equal([300], Drain(queue));
    }

    [Fact]
    public void A_message_longer_than_the_longest_allowed_is_refused()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { MaxMessageSize = 1000 });
        Assert.Contains("1000", Assert.Throws<ArgumentException>(() => queue.Enqueue(Of(1, 2000))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => queue.EnqueueBatch([Of(1), Of(2, 2000)]));
        queue.Enqueue(Of(3, 900));
        Assert.Equal([3], Drain(queue));
    }

    [Fact]
    public void Passed_segments_are_deleted()
    {
        using MappedQueue<Note> queue = Open();
        Note? note = null;
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Assert.True(queue.TryDequeue(ref note));
        }
        // About 16 segments were written; deletion is the background's work.
        Assert.True(SpinWait.SpinUntil(() => SegmentFiles().Length <= 4, TimeSpan.FromSeconds(30)), string.Join(" ", SegmentFiles()));
    }

    [Fact]
    public void A_segment_is_kept_as_long_as_a_lease_in_it_is_open()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(-1, 1000));
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Note? note = null;
        for (int id = 0; id < 500; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Assert.True(queue.TryDequeue(ref note));
        }
        Thread.Sleep(50);
        lease.ReadInto(ref note);
        Assert.Equal((-1, Of(-1, 1000).Text), (note!.Id, note.Text));
        lease.Commit();
        for (int id = 0; id < 200; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Assert.True(queue.TryDequeue(ref note));
        }
        Assert.True(SpinWait.SpinUntil(() => SegmentFiles().Length <= 4, TimeSpan.FromSeconds(30)), string.Join(" ", SegmentFiles()));
    }

    [Fact]
    public void Packing_may_use_queues_even_the_same_one()
    {
        using var outer = MappedQueue<Relay>.Open(Path.Combine(Site.Root, "outer"), new QueueOptions { SegmentSize = 1 << 16 });
        using MappedQueue<Note> other = Open();
        var inner = new Relay { Id = 1 };
        outer.Enqueue(new Relay { Id = 2, WhilePacking = () => { other.Enqueue(Of(7)); outer.Enqueue(inner); } });
        outer.EnqueueBatch([new Relay { Id = 3, WhilePacking = () => other.EnqueueBatch([Of(8), Of(9)]) }]);
        Assert.Equal([7, 8, 9], Drain(other));
        other.Enqueue(Of(10));
        Note? note = null;
        Relay? relay = null;
        Relay.WhileUnpacking = () => other.TryDequeue(ref note);
        Assert.True(outer.TryDequeue(ref relay) && relay!.Id == 1);
        Relay.WhileUnpacking = null;
        Assert.Equal(10, note!.Id);
        Assert.True(outer.TryDequeue(ref relay) && relay!.Id == 2);
        Assert.True(outer.TryDequeue(ref relay) && relay!.Id == 3);
    }

    [Fact]
    public void A_message_that_cannot_be_packed_leaves_no_trace()
    {
        using var queue = MappedQueue<Relay>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        var poison = new Relay { Id = 1, WhilePacking = static () => throw new FormatException("no") };
        Assert.Throws<FormatException>(() => queue.Enqueue(poison));
        Assert.Throws<FormatException>(() => queue.TryEnqueue(poison));
        Assert.Throws<FormatException>(() => queue.EnqueueBatch([new Relay { Id = 2 }, poison]));
        queue.Enqueue(new Relay { Id = 3 });
        Relay? relay = null;
        Assert.True(queue.TryDequeue(ref relay) && relay!.Id == 3);
        Assert.False(queue.TryDequeue(ref relay));
    }

    public static TheoryData<string> Ways => new("Enqueue", "TryEnqueue", "EnqueueAsync", "channel", "durability", "batch", "properties");

    // 8 bytes are left there for the padding, and an empty message needs 16: its own header and the zero one behind it.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Messages_without_a_byte_go_over_a_segments_end(string way)
    {
        for (int length = 61_424; length > 61_384; length -= 8)
        {
            using var log = new LogFiles();
            using (MappedQueue<RawMessage> queue = log.Open())
            {
                await Enqueue(queue, way, new RawMessage(new byte[length]));
                await Enqueue(queue, way, new RawMessage());
                await Enqueue(queue, way, new RawMessage());
                await Enqueue(queue, way, new RawMessage([1]));
            }
            using MappedQueue<RawMessage> opened = log.Open();
            Assert.Equal([length, 0, 0, 1], LengthsOf(opened));
            Assert.Null(opened.Recovered);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Messages_without_a_byte_fill_segments(string way)
    {
        const int count = 16_000;
        using var log = new LogFiles();
        using (MappedQueue<RawMessage> queue = log.Open())
        {
            for (int i = 0; i < count; i++)
            {
                await Enqueue(queue, way, new RawMessage());
            }
        }
        using MappedQueue<RawMessage> opened = log.Open();
        Assert.Equal(count, LengthsOf(opened).Count(static length => length == 0));
    }

    // Of what is left of a segment each length is tried that just fits, and those beside it.
    [Fact]
    public void Whatever_is_left_of_a_segment_is_filled_or_padded()
    {
        var random = new Random(15);
        using var log = new LogFiles();
        using MappedQueue<RawMessage> queue = log.Open();
        RawMessage? message = null;
        for (int i = 0; i < 5_000; i++)
        {
            long left = LogFiles.SegmentSize - (MachineMemory.Load(ref queue.Store.Control.Tail) % LogFiles.SegmentSize);
            int length = random.Next(4) switch
            {
                0 => 0,
                1 => random.Next(3000),
                2 => (int)Math.Clamp(left - (8 * random.Next(7)) - random.Next(9), 0, 61_424),
                _ => (int)Math.Clamp(left - 16 - (8 * random.Next(3)), 0, 61_424),
            };
            if (random.Next(8) == 0)
            {
                queue.EnqueueBatch([new RawMessage(new byte[length])]);
            }
            else
            {
                queue.Enqueue(new RawMessage(new byte[length]));
            }
            Assert.True(queue.TryDequeue(ref message));
            Assert.Equal(length, message!.Bytes.Length);
        }
    }

    private static async Task Enqueue(MappedQueue<RawMessage> queue, string way, RawMessage message)
    {
        switch (way)
        {
            case "Enqueue":
                queue.Enqueue(message);
                break;
            case "TryEnqueue":
                Assert.True(queue.TryEnqueue(message));
                break;
            case "EnqueueAsync":
                await queue.EnqueueAsync(message);
                break;
            case "channel":
                Assert.True(queue.AsChannelWriter().TryWrite(message));
                break;
            case "durability":
                queue.Enqueue(message, Durability.PageCache);
                break;
            case "batch":
                queue.EnqueueBatch([message]);
                break;
            default:
                queue.Enqueue(message, new MessageProperties());
                break;
        }
    }

    private static List<int> LengthsOf(MappedQueue<RawMessage> queue)
    {
        var lengths = new List<int>();
        for (RawMessage? message = null; queue.TryDequeue(ref message);)
        {
            lengths.Add(message!.Bytes.Length);
        }
        return lengths;
    }
}
