using BlitQueue.Platform;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Messages of more than a MiB: packed and put together in memory that grows, not in arrays of the pool.</summary>
public sealed class LargeMessageTests : QueueFixture
{
    private const int Large = 5 << 20;

    private static readonly QueueOptions SmallSegments = new() { SegmentSize = 1 << 16 }, MiddleSegments = new() { SegmentSize = 4 << 20 };

    [Fact]
    public void A_message_of_many_parts_grows_while_it_is_packed()
    {
        using var queue = MappedQueue<Shelf>.Open(Site.Queue, SmallSegments);
        Shelf shelf = ShelfOf(seed: 1);
        queue.Enqueue(shelf);
        queue.Enqueue(new Shelf { Books = [Of(9)] });
        queue.Enqueue(shelf);
        Shelf? read = null;
        foreach (Shelf expected in (Shelf[])[shelf, new Shelf { Books = [Of(9)] }, shelf])
        {
            Assert.True(queue.TryDequeue(ref read));
            Assert.Equal(Packer.Pack(expected), Packer.Pack(read!));
        }
    }

    [Fact]
    public void A_large_message_is_packed_without_a_queue()
    {
        Shelf shelf = ShelfOf(seed: 3);
        byte[] bytes = Packer.Pack(in shelf);
        Assert.Equal(bytes, Packer.Pack(Packer.Unpack<Shelf>(bytes)!));
    }

    [Fact]
    public void Large_and_small_messages_stand_in_one_batch()
    {
        using MappedQueue<Note> queue = Open();
        queue.EnqueueBatch([Of(1), Of(2, Large), Of(3), Of(4, 2 * Large), Of(5)]);
        Note? note = null;
        foreach (Note expected in (Note[])[Of(1), Of(2, Large), Of(3), Of(4, 2 * Large), Of(5)])
        {
            Assert.True(queue.TryDequeue(ref note));
            Assert.Equal((expected.Id, expected.Text), (note!.Id, note.Text));
        }
    }

    [Fact]
    public void Two_large_messages_are_looked_at_side_by_side()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.EnqueueBatch([Of(1, Large), Of(2, Large)]);
        using Lease<Note> first = subscription.Receive(), second = subscription.Receive();
        using LeasedBytes firstBytes = first.OpenBytes(), secondBytes = second.OpenBytes();
        Assert.Equal((1, (byte)'b'), (new Note.View(firstBytes.Span).Id, firstBytes.Span[^1]));
        Assert.Equal((2, (byte)'c'), (new Note.View(secondBytes.Span).Id, secondBytes.Span[^1]));
    }

    [Fact]
    public void A_message_that_fails_while_it_grows_leaves_nothing()
    {
        using var queue = MappedQueue<Shelf>.Open(Site.Queue, SmallSegments);
        Shelf shelf = ShelfOf(seed: 2);
        Assert.Throws<PackException>(() => queue.Enqueue(new Shelf { Books = shelf.Books, Note = Deep(levels: 70) }));
        queue.Enqueue(shelf);
        Shelf? read = null;
        Assert.True(queue.TryDequeue(ref read));
        Assert.Equal(Packer.Pack(shelf), Packer.Pack(read!));
        Assert.False(queue.TryDequeue(ref read));
    }

    [Fact]
    public void A_large_messages_files_are_those_of_the_next_one()
    {
        using var producer = MappedQueue<Note>.Open(Site.Queue, MiddleSegments);
        using var consumer = MappedQueue<Note>.Open(Site.Queue);
        Note one = Of(1, 70 << 20), other = Of(2, 70 << 20);
        Note? received = null, receivedNext = null;
        // In a row, with nothing between them that takes as long as the files are kept.
        HashSet<string> first = Pass(producer, consumer, one, ref received), second = Pass(producer, consumer, other, ref receivedNext);
        Assert.Equal((one.Text, other.Text), (received!.Text, receivedNext!.Text));
        // But for those that the second one begins and ends in.
        Assert.InRange(first.Intersect(second).Count(), 14, first.Count);
    }

    [Fact]
    public void A_large_messages_files_go_when_its_queue_is_disposed()
    {
        using (var queue = MappedQueue<Note>.Open(Site.Queue, MiddleSegments))
        {
            Pass(queue, queue, number: 1);
            Assert.InRange(Files().Count, 16, 20);
        }
        Assert.InRange(Files().Count, 1, 3);
    }

    [Fact]
    public void A_large_messages_files_go_after_a_while()
    {
        using var producer = MappedQueue<Note>.Open(Site.Queue, MiddleSegments);
        using var consumer = MappedQueue<Note>.Open(Site.Queue);
        Pass(producer, consumer, number: 1);
        while (Files().Count > 3)
        {
            Thread.Sleep(100);
        }
    }

    [Fact]
    public void A_leased_large_messages_files_go_after_a_while()
    {
        using var queue = MappedQueue<Note>.Open(Site.Queue, MiddleSegments);
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1, 70 << 20));
        using (Lease<Note> lease = subscription.Receive())
        {
            lease.Commit();
        }
        AwaitFew();
    }

    [Fact]
    public void A_messages_files_go_when_a_transaction_has_consumed_it()
    {
        using var store = MappedStore.Open(Site.Queue);
        using MappedQueue<Note> queue = store.OpenQueue<Note>("q", MiddleSegments);
        queue.Enqueue(Of(1, 40 << 20));
        using QueueTransaction transaction = store.Begin();
        Note? note = null;
        Assert.True(transaction.TryReceive(queue, ref note));
        transaction.Commit();
        string[] files = [];
        Assert.True(
            SpinWait.SpinUntil(() => (files = SegmentFilesIn(Path.Combine(Site.Queue, "q"))).Length <= 3, TimeSpan.FromSeconds(10)),
            string.Join(" ", files));
    }

    [Fact]
    public void A_long_leased_messages_files_go_when_it_is_committed()
    {
        using var queue = MappedQueue<Note>.Open(Site.Queue, MiddleSegments);
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1, 40 << 20));
        using (Lease<Note> lease = subscription.Receive())
        {
            Assert.InRange(Files().Count, 10, 13);
            lease.Commit();
        }
        AwaitFew();
    }

    private void AwaitFew() => Assert.True(
        SpinWait.SpinUntil(() => Files().Count <= 3, TimeSpan.FromSeconds(60)), $"{Files().Count} segments are left");

    // The segments' files by what tells them from every other, whatever their names. One that was listed may be gone by now.
    private HashSet<string> Files() =>
        [.. SegmentFiles().Select(CurrentPlatform.Instance.IdentityOf).OfType<byte[]>().Select(Convert.ToHexString)];

    private HashSet<string> Pass(MappedQueue<Note> producer, MappedQueue<Note> consumer, int number)
    {
        Note sent = Of(number, 70 << 20);
        Note? received = null;
        HashSet<string> files = Pass(producer, consumer, sent, ref received);
        Assert.Equal(sent.Text, received!.Text);
        return files;
    }

    private HashSet<string> Pass(MappedQueue<Note> producer, MappedQueue<Note> consumer, Note sent, ref Note? received)
    {
        producer.Enqueue(sent);
        HashSet<string> files = Files();
        Assert.True(consumer.TryDequeue(ref received));
        return files;
    }

    private static Shelf ShelfOf(int seed) => new()
    {
        Books = [.. Enumerable.Range(seed, 2000).Select(static id => Of(id, id % 7 == 0 ? 20_000 : 50)), Of(seed, Large), Of(seed + 1)],
        Picture = [.. Enumerable.Range(seed, Large / 4)],
        Note = Deep(levels: 3),
    };

    private static Nest Deep(int levels) => levels == 0 ? new Nest() : new Nest { Inner = Deep(levels - 1) };
}

[QueueMessage]
internal sealed partial class Shelf
{
    public Note[] Books { get; set; } = [];

    public int[] Picture { get; set; } = [];

    public Nest? Note { get; set; }
}

[QueueMessage]
internal sealed partial class Nest
{
    public Nest? Inner { get; set; }
}
