using System.Buffers;
using System.Text.Json;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class RawMessageTests : QueueFixture
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4000)]
    [InlineData(300_000)]
    public void Bytes_come_out_as_they_went_in(int length)
    {
        using MappedQueue<RawMessage> queue = OpenRaw();
        byte[] bytes = Bytes(length);
        queue.Enqueue(bytes);
        Assert.True(queue.TryEnqueue(bytes.AsSpan()));
        queue.Enqueue(new RawMessage(bytes));
        queue.EnqueueBatch([new RawMessage(bytes), new RawMessage(), new RawMessage(bytes)]);
        RawMessage? message = null;
        foreach (int expected in (int[])[length, length, length, length, 0, length])
        {
            Assert.True(queue.TryDequeue(ref message));
            Assert.Equal(bytes.AsSpan(0, expected), message!.Bytes);
        }
        Assert.False(queue.TryDequeue(ref message));
    }

    [Fact]
    public void The_record_contains_the_bytes_and_nothing_else()
    {
        Assert.Equal("abc"u8.ToArray(), Packer.Pack(new RawMessage("abc"u8)));
        Assert.Empty(Packer.Pack(new RawMessage()));
        Assert.Equal("abc"u8, Packer.Unpack<RawMessage>("abc"u8)!.Bytes);
        Assert.Throws<ArgumentNullException>(() => Packer.Pack<RawMessage>(null));
        using MappedQueue<RawMessage> queue = OpenRaw();
        queue.Enqueue("12345678"u8);
        Assert.Equal(16, queue.GetStatus().Bytes);
    }

    [Fact]
    public void A_lease_opens_the_bytes_in_place()
    {
        using MappedQueue<RawMessage> queue = OpenRaw();
        using Subscription<RawMessage> subscription = queue.Subscribe("default");
        byte[] large = Bytes(200_000);
        queue.Enqueue("abc"u8);
        queue.Enqueue(""u8);
        queue.Enqueue(large);
        foreach (byte[] expected in (byte[][])[[.. "abc"u8], [], large])
        {
            using Lease<RawMessage> lease = subscription.Receive();
            using LeasedBytes bytes = lease.OpenBytes();
            Assert.Equal(expected.AsSpan(), bytes.Span);
            lease.Commit();
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("abc")]
    [InlineData("\u00ff\u00ff\u00ff\u00ff")]
    public void Dead_letters_preserve_the_bytes(string text)
    {
        byte[] bytes = [.. text.Select(static unit => (byte)unit)];
        using MappedQueue<RawMessage> queue = OpenRaw();
        using Subscription<RawMessage> subscription = queue.Subscribe("default");
        queue.Enqueue(bytes);
        subscription.Receive().DeadLetter("no");
        DeadLetter<RawMessage>? letter = null;
        Assert.True(subscription.DeadLetters.TryTake(ref letter));
        Assert.Equal(("no", 1), (letter!.Reason, letter.Attempts));
        Assert.Equal(bytes, letter.Message.Bytes.ToArray());
    }

    [Fact]
    public async Task It_is_awaited_peeked_at_and_read_by_cursors_like_any_message()
    {
        using MappedQueue<RawMessage> queue = OpenRaw();
        await queue.EnqueueAsync(new RawMessage("abc"u8));
        RawMessage? message = null;
        Assert.True(queue.TryPeek(ref message));
        Assert.Equal("abc", System.Text.Encoding.UTF8.GetString(message!.Bytes));
        using (QueueCursor<RawMessage> cursor = queue.OpenCursor(QueuePosition.Oldest))
        {
            Assert.Equal(3, Assert.Single(cursor).Bytes.Length);
        }
        Assert.Same(message, await queue.DequeueAsync(message));
    }

    [Fact]
    public void A_serializer_writes_into_it()
    {
        var message = new RawMessage();
        for (int round = 0; round < 3; round++)
        {
            message.Clear();
            using (var writer = new Utf8JsonWriter(message))
            {
                JsonSerializer.Serialize(writer, Enumerable.Range(0, 1000));
            }
            Assert.Equal(1000, JsonSerializer.Deserialize<int[]>(message.Bytes)!.Length);
        }
        message.Clear();
        message.Write("abc"u8);
        message.GetMemory(5).Span[0] = (byte)'d';
        message.Advance(1);
        Assert.Equal("abcd"u8, message.Bytes);
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Advance(1 << 20));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.GetSpan(-1));
    }

    [Fact]
    public void Spans_in_and_out_allocate_nothing()
    {
        using var queue = MappedQueue<RawMessage>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 24 });
        using Subscription<RawMessage> subscription = queue.Subscribe("default");
        byte[] bytes = Bytes(100);
        RawMessage? message = null;
        int sum = 0;
        AssertNothingAllocated(() =>
        {
            queue.Enqueue(bytes);
            queue.Dequeue(ref message);
            queue.Enqueue(bytes);
            subscription.TryReceive(out Lease<RawMessage> lease);
            using LeasedBytes opened = lease.OpenBytes();
            sum += opened.Span.Length;
            lease.Commit();
        });
        Assert.Equal(0, sum % 100);
    }

    [Fact]
    public void Bytes_that_cannot_be_enqueued_are_refused_and_the_next_ones_are_not_theirs()
    {
        using var queue = MappedQueue<RawMessage>.Open(Site.Queue, Small with { MaxMessageSize = 100 });
        byte[] bytes = Bytes(101);
        Assert.Throws<ArgumentException>(() => queue.Enqueue(bytes));
        Assert.Throws<ArgumentException>(() => queue.TryEnqueue(bytes));
        queue.Enqueue("abc"u8);
        RawMessage? message = null;
        Assert.True(queue.TryDequeue(ref message));
        Assert.Equal("abc"u8, message!.Bytes);
        Assert.Throws<ArgumentNullException>(() => RawQueueExtensions.Enqueue(null!, "abc"u8));
    }

    [Fact]
    public void Another_message_type_is_refused()
    {
        using (OpenRaw())
        {
        }
        Assert.Throws<SchemaMismatchException>(() => Open());
    }

    private MappedQueue<RawMessage> OpenRaw() => MappedQueue<RawMessage>.Open(Site.Queue, Small);

    private static byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }

    private static void AssertNothingAllocated(Action step)
    {
        for (int i = 0; i < 200; i++)
        {
            step();
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 2000; i++)
        {
            step();
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
