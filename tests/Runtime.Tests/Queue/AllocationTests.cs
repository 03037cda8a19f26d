using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Counted on the calling thread, after the first messages, in a segment that is not left meanwhile.</summary>
public sealed class AllocationTests : QueueFixture
{
    private const int WarmUp = 200, Counted = 2000;

    [Fact]
    public void A_message_without_strings_is_enqueued_and_dequeued_without_allocating() => AssertNothingAllocated(new Note { Id = 5 });

    [Fact]
    public void A_message_with_the_strings_of_the_one_before_is_enqueued_and_dequeued_without_allocating() =>
        AssertNothingAllocated(new Note { Id = 5, Text = "the same text as in the message before, \u00e4\u20ac\U0001F600" });

    [Fact]
    public void A_message_with_bytes_of_the_same_length_is_enqueued_and_dequeued_without_allocating()
    {
        using var queue = MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 24 });
        var parcel = new Parcel();
        Parcel? received = null;
        AssertNothingAllocated(() =>
        {
            queue.Enqueue(parcel.Fill(1, 1, 64));
            queue.Dequeue(ref received);
        });
        Assert.True(received!.IsIntact());
    }

    [Fact]
    public void A_lease_is_taken_read_and_committed_without_allocating()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 24 });
        using Subscription<Note> subscription = queue.Subscribe("default");
        var note = new Note { Id = 5 };
        Note? received = null;
        AssertNothingAllocated(() =>
        {
            queue.Enqueue(note);
            subscription.TryReceive(out Lease<Note> lease);
            lease.ReadInto(ref received);
            lease.Commit();
        });
        Assert.Equal(5, received!.Id);
    }

    [Fact]
    public void The_properties_of_the_message_before_are_written_and_read_without_allocating()
    {
        using MappedQueue<Note> queue = Open(
            new QueueOptions { SegmentSize = 1 << 24, Stamps = MessageStamps.Time | MessageStamps.Producer });
        var note = new Note { Id = 5 };
        Note? received = null;
        MessageProperties given = PropertyTests.All(), read = new();
        given.TimeToLive = TimeSpan.FromHours(1);
        AssertNothingAllocated(() =>
        {
            queue.Enqueue(note, given);
            queue.Dequeue(ref received, read);
        });
        Assert.Equal((5, given.Label, true), (received!.Id, read.Label, read.EnqueuedAt is not null));
    }

    /// <summary>A message that does not fit at a segment's end is packed into scratch memory, 64 KiB of it, which is given back.</summary>
    [Fact]
    public void Leaving_a_segment_takes_no_more_than_its_names()
    {
        const int messages = 10_000, size = 1000, most = 16 << 10, segment = 1 << 16;
        using MappedQueue<Note> queue = Open();
        Note note = Of(5, size);
        Note? received = null;
        long before = 0;
        for (int i = 0; i < messages; i++)
        {
            if (i == messages / 2)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }
            queue.Enqueue(note);
            queue.Dequeue(ref received);
            // Else who comes to the end makes the next one, and packs anew.
            long tail = queue.Store.Control.TailWord.Value;
            Assert.True(
                tail % segment < segment / 2
                    || SpinWait.SpinUntil(() => queue.Store.Allocator.IsReady((tail / segment) + 1), TimeSpan.FromSeconds(30)));
        }
        long segments = (long)messages / 2 * size / segment;
        long allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / segments;
        Assert.True(allocated < most, $"{allocated} bytes a segment.");
    }

    [Fact]
    public void A_dequeue_of_nothing_allocates_nothing()
    {
        using MappedQueue<Note> queue = Open();
        Note? received = null;
        AssertNothingAllocated(() => queue.TryDequeue(ref received));
    }

    private void AssertNothingAllocated(Note note)
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 24 });
        Note? received = null;
        AssertNothingAllocated(() =>
        {
            queue.Enqueue(note);
            queue.Dequeue(ref received);
        });
        Assert.Equal((note.Id, note.Text), (received!.Id, received.Text));
        Assert.NotSame(note, received);
    }

    private static void AssertNothingAllocated(Action step)
    {
        for (int i = 0; i < WarmUp; i++)
        {
            step();
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Counted; i++)
        {
            step();
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
