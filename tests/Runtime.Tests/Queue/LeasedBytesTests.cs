using BlitQueue.Memory;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

public sealed class LeasedBytesTests : QueueFixture
{
    [Fact]
    public void A_view_reads_the_leased_message_in_place()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(7));
        using Lease<Note> lease = subscription.Receive();
        using LeasedBytes bytes = lease.OpenBytes();
        var view = new Note.View(bytes.Span);
        Assert.Equal(7, view.Id);
        Assert.True(view.Text == "note 7"u8);
        Assert.Equal(Packer.Pack(Of(7)), bytes.Span.ToArray());
        lease.Commit();
        Assert.Equal(7, view.Id);
    }

    [Fact]
    public void A_split_message_is_put_together()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(3, 200_000));
        using Lease<Note> lease = subscription.Receive();
        using LeasedBytes bytes = lease.OpenBytes();
        var view = new Note.View(bytes.Span);
        Assert.Equal((3, 200_000), (view.Id, view.Text.Length));
        Assert.Equal(Packer.Pack(Of(3, 200_000)), bytes.Span.ToArray());
    }

    [Fact]
    public void The_bytes_stay_mapped_after_the_queue_was_disposed()
    {
        MappedQueue<Note> queue = Open();
        Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(7));
        Lease<Note> lease = subscription.Receive();
        using (LeasedBytes bytes = lease.OpenBytes())
        {
            queue.Dispose();
            Assert.Equal(7, new Note.View(bytes.Span).Id);
            AssertSomethingOpen();
        }
        AssertNothingOpen();
        Assert.Throws<ObjectDisposedException>(() => lease.OpenBytes().Dispose());
    }

    // Consumption goes on through many segments, each unmapped when it was passed, but for the one that is being looked at.
    [Fact]
    public void The_bytes_stay_mapped_while_consumption_goes_on()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1, 1000));
        using Lease<Note> lease = subscription.Receive();
        LeasedBytes bytes = lease.OpenBytes();
        Note? note = null;
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Assert.True(queue.TryDequeue(ref note));
        }
        var view = new Note.View(bytes.Span);
        Assert.Equal((1, 1000), (view.Id, view.Text.Length));
        Assert.Equal(new string('b', 1000), view.Text.ToString());
        bytes.Dispose();
    }

    [Fact]
    public void Scopes_end_in_any_order_and_more_than_once()
    {
        MappedQueue<Note> queue = Open(), other = MappedQueue<Note>.Open(Path.Combine(Site.Root, "other"));
        using Subscription<Note> subscription = queue.Subscribe("default"), otherSubscription = other.Subscribe("default");
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2));
        other.Enqueue(Of(3));
        LeasedBytes first = subscription.Receive().OpenBytes();
        LeasedBytes second = otherSubscription.Receive().OpenBytes();
        LeasedBytes third = subscription.Receive().OpenBytes();
        second.Dispose();
        queue.Enqueue(Of(4));
        LeasedBytes fourth = subscription.Receive().OpenBytes();
        second.Dispose();
        first.Dispose();
        queue.Dispose();
        AssertSomethingOpen();
        Assert.Equal((2, 4), (new Note.View(third.Span).Id, new Note.View(fourth.Span).Id));
        third.Dispose();
        third.Dispose();
        Assert.Equal(4, new Note.View(fourth.Span).Id);
        fourth.Dispose();
        AssertNothingOpen();
        other.Dispose();
    }

    [Fact]
    public void Bytes_of_an_ended_lease_are_refused()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1));
        Lease<Note> lease = subscription.Receive();
        lease.Commit();
        Assert.Throws<InvalidOperationException>(() => lease.OpenBytes().Dispose());
        Assert.Throws<InvalidOperationException>(() => default(Lease<Note>).OpenBytes().Dispose());
        queue.Dispose();
        AssertNothingOpen();
    }

    [Fact]
    public void Damaged_bytes_are_refused()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(1));
        using Lease<Note> lease = subscription.Receive();
        using (FileStream file = Site.OpenToDamage(Directory.GetFiles(Site.Queue, "segment-*").Order(StringComparer.Ordinal).First()))
        {
            file.Position = lease.Position.Value + 20;
            file.WriteByte(0xEE);
        }
        Assert.Throws<QueueCorruptException>(() => lease.OpenBytes().Dispose());
        queue.Dispose();
        AssertNothingOpen();
    }
}
