using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

/// <summary>A segment that is given up while somebody is about to look into it is not taken for a damaged one.</summary>
public sealed class SegmentCacheTests : QueueFixture
{
    [Fact]
    public void What_was_given_up_between_its_name_and_its_header_is_not_there_any_more()
    {
        using (MappedQueue<Note> queue = Filled(3000))
        {
            Drain(queue);
        }
        var files = new QueueFiles(Site.Queue, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var meta = QueueMeta.Read(files);
        using var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
        long index = control.Tail / meta.SegmentSize, first = meta.FirstOf(index);
        var gate = new CallGate(static () => { });
        using var table = new SegmentCache(files, meta, gate, control);
        var counter = new MessageCounter(table, meta, gate);
        Assert.True(counter.Count(first, control.Tail) > 0);
        // As whoever makes a later segment of it leaves it: off the list, its header that of the later one.
        table.Dispose();
        Site.Overwrite(
            StoreFormat.SegmentName(index * meta.SegmentSize), SegmentFormat.BaseOffset,
            BitConverter.GetBytes((index + 3) * meta.SegmentSize));
        Assert.Throws<QueueCorruptException>(() => table.PinIfStill(index));
        control.FirstRetainedState = index + 1;
        Assert.Null(table.PinIfStill(index));
        Assert.Null(table.Entered(index));
        Assert.Equal(0, counter.Count(first, control.Tail));
    }

    // The mappings of a process are limited, and a thread that reads leaves segments faster than the pool unmaps them.
    [Fact]
    public void However_fast_a_thread_goes_through_segments_few_are_mapped()
    {
        const int count = 300;
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16 });
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id, 50_000));
        }
        var files = new QueueFiles(Site.Queue, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var meta = QueueMeta.Read(files);
        using var cache = new SegmentCache(files, meta, new CallGate(static () => { }), control: null);
        for (int index = 0; index < count; index++)
        {
            Segment segment = cache.Pin(index)!;
            cache.Unpin(segment);
            Assert.InRange(cache.Mapped, 1, 12);
        }
    }

    // A view of one message may be open for as long as its reader likes.
    [Fact]
    public void However_long_the_bytes_of_a_message_are_open_few_segments_behind_it_are_mapped()
    {
        const int count = 300;
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16 });
        using Subscription<Note> other = queue.Subscribe("other");
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id, 50_000));
        }
        using Lease<Note> lease = other.Receive();
        using (LeasedBytes bytes = lease.OpenBytes())
        {
            byte[] before = bytes.Span.ToArray();
            Note? note = null;
            for (int id = 0; id < count; id++)
            {
                Assert.True(queue.TryDequeue(ref note));
                Assert.InRange(queue.Store.Segments.Mapped, 1, 64);
            }
            Assert.True(bytes.Span.SequenceEqual(before));
        }
    }

    // The disk has no block back of a deleted segment that is mapped: a full one may wait for it. Without a queue, whose own deletions
    // leave segments later.
    [Fact]
    public void What_is_left_during_a_call_is_unmapped_after_it_though_nothing_is_left_later()
    {
        const int count = 30, few = 15;
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16 });
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id, 50_000));
        }
        var files = new QueueFiles(Site.Queue, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var gate = new CallGate(static () => { });
        using var cache = new SegmentCache(files, QueueMeta.Read(files), gate, control: null);
        CallGate.LongCall call = gate.EnterLong();
        for (int index = 0; index < count; index++)
        {
            cache.Unpin(cache.Pin(index));
        }
        // What the pool does at once is done then, as a rule.
        Thread.Sleep(200);
        Assert.Equal(count, cache.Mapped);
        call.TryLeave();
        Assert.True(SpinWait.SpinUntil(() => cache.Mapped < few, TimeSpan.FromSeconds(20)));
    }

    [Fact]
    public void A_status_of_a_queue_whose_segments_go_round_is_never_called_damaged()
    {
        using MappedQueue<Note> queue = Open(
            new QueueOptions { SegmentSize = 1 << 16, Capacity = 4 << 16, FullMode = FullMode.DropOldest });
        using var end = new CancellationTokenSource(TimeSpan.FromSeconds(2));
        var producer = new Thread(() =>
        {
            for (long id = 0; !end.IsCancellationRequested; id++)
            {
                queue.Enqueue(Of(id, 500));
            }
        });
        producer.Start();
        try
        {
            while (!end.IsCancellationRequested)
            {
                queue.GetStatus();
            }
        }
        finally
        {
            producer.Join();
        }
    }
}
