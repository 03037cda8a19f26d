using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What stands beside a message comes out as it went in, however the message travels, and its own bytes are the same.</summary>
public sealed class PropertyTests : QueueFixture
{
    internal static MessageProperties All(long id = 1) => new()
    {
        MessageId = $"order-{id}",
        Producer = "shop",
        CorrelationId = "request \u00e4\u20ac\U0001F600",
        ReplyTo = "answers/shop",
        Label = "",
        Headers = { ["tenant"] = "acme", ["\u00fc"] = "", [""] = $"{id}" },
    };

    [Fact]
    public void All_of_them_come_out_as_they_went_in()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1), All());
        Note? note = null;
        var properties = new MessageProperties();
        Assert.True(queue.TryDequeue(ref note, properties));
        Assert.Equal((1, "note 1"), (note!.Id, note.Text));
        AssertSame(All(), properties);
    }

    [Theory]
    [InlineData(nameof(MessageProperties.MessageId))]
    [InlineData(nameof(MessageProperties.Producer))]
    [InlineData(nameof(MessageProperties.CorrelationId))]
    [InlineData(nameof(MessageProperties.ReplyTo))]
    [InlineData(nameof(MessageProperties.Label))]
    public void One_comes_alone(string name)
    {
        using MappedQueue<Note> queue = Open();
        var one = new MessageProperties();
        typeof(MessageProperties).GetProperty(name)!.SetValue(one, "it");
        queue.Enqueue(Of(1), one);
        Note? note = null;
        MessageProperties properties = All();
        Assert.True(queue.TryDequeue(ref note, properties));
        AssertSame(one, properties);
    }

    [Fact]
    public void A_message_without_any_gives_none()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2), new MessageProperties());
        MessageProperties properties = All();
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note, properties));
        Assert.True(properties.IsEmpty);
        using Subscription<Note> subscription = queue.Subscribe("default");
        using Lease<Note> lease = subscription.Receive();
        Assert.Null(lease.ReadProperties());
        Assert.False(lease.ReadProperties(All()));
        lease.Commit();
        properties = All();
        Assert.False(queue.TryDequeue(ref note, properties));
        Assert.True(properties.IsEmpty);
    }

    // 3 MB over segments of 64 KiB; the last length leaves no room for the properties where the tail is.
    [Theory]
    [InlineData(100)]
    [InlineData(61_000)]
    [InlineData(61_420)]
    [InlineData(3_000_000)]
    public void They_travel_with_messages_of_any_length(int length)
    {
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < 5; id++)
        {
            queue.Enqueue(Of(id, length), All(id));
            queue.Enqueue(Of(id + 100, length));
        }
        Note? note = null;
        var properties = new MessageProperties();
        for (int id = 0; id < 5; id++)
        {
            Assert.True(queue.TryDequeue(ref note, properties));
            Assert.Equal((id, Of(id, length).Text), (note!.Id, note.Text));
            AssertSame(All(id), properties);
            Assert.True(queue.TryDequeue(ref note, properties));
            Assert.Equal((id + 100, Of(id + 100, length).Text), (note!.Id, note.Text));
            Assert.True(properties.IsEmpty);
        }
    }

    // However near the segment's end the tail is, a split message's first piece holds all of its properties.
    [Fact]
    public void A_split_message_may_begin_anywhere()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, RetainBytes = 1 << 30 });
        MessageProperties long1 = new() { Label = new string('l', 20_000) };
        Note? note = null;
        var properties = new MessageProperties();
        for (int fill = 0; fill < 60_000; fill += 1_003)
        {
            queue.Enqueue(Of(1, fill + 1));
            queue.Enqueue(Of(2, 70_000), long1);
            Assert.True(queue.TryDequeue(ref note));
            Assert.True(queue.TryDequeue(ref note, properties));
            Assert.Equal((2, 70_000, 20_000), (note!.Id, note.Text!.Length, properties.Label!.Length));
        }
    }

    [Fact]
    public void A_batch_has_one_for_all()
    {
        using MappedQueue<Note> queue = Open();
        queue.EnqueueBatch([Of(1), Of(2, 30_000), Of(3, 50_000), Of(4, 200_000)], All(7));
        queue.EnqueueBatch([Of(5), Of(6)]);
        Note? note = null;
        var properties = new MessageProperties();
        for (int id = 1; id <= 6; id++)
        {
            Assert.True(queue.TryDequeue(ref note, properties));
            Assert.Equal(id, note!.Id);
            AssertSame(id <= 4 ? All(7) : new MessageProperties(), properties);
        }
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    [Fact]
    public async Task They_go_the_asynchronous_ways_too()
    {
        using MappedQueue<Note> queue = Open();
        await queue.EnqueueAsync(Of(1), All(1));
        await queue.EnqueueAsync(Of(2, 100_000), All(2));
        await queue.EnqueueBatchAsync([Of(3), Of(4)], All(3));
        Assert.True(queue.TryEnqueue(Of(5), All(5)));
        var properties = new MessageProperties();
        for (int id = 1; id <= 5; id++)
        {
            Note note = await queue.DequeueAsync(null, properties);
            Assert.Equal(id, note.Id);
            AssertSame(All(id == 4 ? 3 : id), properties);
        }
        ValueTask<Note> waiting = queue.DequeueAsync(null, properties);
        Assert.False(waiting.IsCompleted);
        queue.Enqueue(Of(6), All(6));
        Assert.Equal(6, (await waiting).Id);
        AssertSame(All(6), properties);
    }

    [Fact]
    public void A_lease_reads_them_as_often_as_it_is_delivered()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1), All());
        Note? note = null;
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            using Lease<Note> lease = subscription.Receive();
            Assert.Equal(attempt, lease.Attempt);
            AssertSame(All(), lease.ReadProperties()!);
            lease.ReadInto(ref note);
            Assert.Equal(1, note!.Id);
        }
        var properties = new MessageProperties();
        Assert.True(queue.TryDequeue(ref note, properties));
        AssertSame(All(), properties);
    }

    [Fact]
    public void The_messages_own_bytes_are_the_same()
    {
        using (MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true }))
        {
            queue.Enqueue(Of(1), All());
            queue.Enqueue(Of(1));
        }
        byte[] segment = Processes.Site.Read(Site.File("segment-0000000000000000"));
        byte[] packed = Packer.Pack(Of(1));
        int first = segment.AsSpan().IndexOf(packed);
        Assert.True(first > 4096 + 8 && segment.AsSpan(first + 1).IndexOf(packed) > 0);
        Assert.Equal(0, first % 8);
    }

    [Fact]
    public void Messages_whose_packing_runs_code_have_them_too()
    {
        using var queue = MappedQueue<Relay>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        Assert.True(Relay.Schema.RunsUserCode);
        queue.Enqueue(new Relay(), All());
        Relay? relay = null;
        var properties = new MessageProperties();
        Assert.True(queue.TryDequeue(ref relay, properties));
        AssertSame(All(), properties);
    }

    [Fact]
    public void What_cannot_be_stored_is_refused_and_nothing_is_enqueued()
    {
        using MappedQueue<Note> queue = Open();
        Assert.Throws<ArgumentNullException>(() => queue.Enqueue(Of(1), null!));
        Assert.Throws<ArgumentNullException>(() => queue.Enqueue(null!, All()));
        Assert.Contains("32760", Assert.Throws<ArgumentException>(
            () => queue.Enqueue(Of(1), new MessageProperties { Label = new string('x', 32_760) })).Message, StringComparison.Ordinal);
        Assert.Contains("'tenant'", Assert.Throws<ArgumentException>(
            () => queue.Enqueue(Of(1), new MessageProperties { Headers = { ["tenant"] = null! } })).Message, StringComparison.Ordinal);
        Assert.Equal(0, queue.GetStatus().MessageCount);
        queue.Enqueue(Of(2), new MessageProperties { Label = new string('x', 32_756) });
        Assert.Equal([2L], Drain(queue));
    }

    [Fact]
    public void They_do_not_count_towards_the_longest_message()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, MaxMessageSize = 100 });
        queue.Enqueue(Of(1), new MessageProperties { Label = new string('x', 1000) });
        Assert.Throws<ArgumentException>(() => queue.Enqueue(Of(1, 101), All()));
        Assert.Equal([1L], Drain(queue));
    }

    [Fact]
    public void They_count_towards_the_capacity()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 1000 });
        Assert.False(queue.TryEnqueue(Of(1), new MessageProperties { Label = new string('x', 900) }) && queue.TryEnqueue(Of(2), All()));
        Assert.Equal([1L], Drain(queue));
    }

    internal static void AssertSame(MessageProperties expected, MessageProperties actual)
    {
        Assert.Equal(
            (expected.MessageId, expected.Producer, expected.CorrelationId, expected.ReplyTo, expected.Label),
            (actual.MessageId, actual.Producer, actual.CorrelationId, actual.ReplyTo, actual.Label));
        Assert.Equal(
            expected.Headers.OrderBy(static pair => pair.Key, StringComparer.Ordinal),
            actual.Headers.OrderBy(static pair => pair.Key, StringComparer.Ordinal));
    }
}
