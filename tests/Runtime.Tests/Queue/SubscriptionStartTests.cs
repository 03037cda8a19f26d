using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Where a new subscription starts: what others need and what is retained, not what happens to be on disk.</summary>
public sealed class SubscriptionStartTests : QueueFixture
{
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 1 << 20, FullMode = FullMode.Fail };

    [Fact]
    public void On_an_idle_bounded_queue_a_new_one_retains_nothing()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        SendAndReceive(queue, 0, 2000);
        using Subscription<Note> audit = queue.Subscribe("audit");
        Assert.Equal(0, queue.GetStatus().Bytes);
        queue.Enqueue(Of(7));
        Assert.Equal([7L], Drain(audit));
    }

    [Fact]
    public void A_lease_that_is_open_is_not_consumed()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        using Subscription<Note> main = queue.Subscribe("default");
        SendAndReceive(queue, 0, 100);
        queue.Enqueue(Of(100));
        queue.Enqueue(Of(101));
        using Lease<Note> open = Receive(main, 100, 1);
        Assert.Equal([101L], Drain(queue));
        using Subscription<Note> audit = queue.Subscribe("audit");
        Assert.Equal([100L, 101L], Drain(audit));
    }

    [Fact]
    public void What_is_retained_is_seen_by_a_new_one()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, RetainFor = TimeSpan.FromHours(1) });
        SendAndReceive(queue, 0, 500);
        using Subscription<Note> audit = queue.Subscribe("audit");
        Assert.Equal(500, Drain(audit).Length);
    }

    [Fact]
    public void Retained_bytes_are_seen_by_whole_segments()
    {
        using MappedQueue<Note> queue = Open(Bounded with { RetainBytes = 3 << 16 });
        SendAndReceive(queue, 0, 2000);
        using Subscription<Note> audit = queue.Subscribe("audit");
        Assert.InRange(queue.GetStatus().Bytes, 3 << 16, 5 << 16);
        long[] seen = Drain(audit);
        Assert.Equal([.. Enumerable.Range((int)seen[0], seen.Length).Select(static id => (long)id)], seen);
        Assert.Equal(1999, seen[^1]);
    }

    [Fact]
    public void The_first_of_a_queue_made_without_the_default_one_sees_what_was_enqueued_before()
    {
        using MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, CreateDefaultSubscription = false });
        queue.Enqueue(Of(1));
        queue.Enqueue(Of(2));
        using Subscription<Note> first = queue.Subscribe("first");
        Assert.Equal([1L, 2L], Drain(first));
    }

    // What the first consumer has not consumed when the second subscription is made must reach that
    // one, however fast segments go meanwhile.
    [Fact]
    public async Task Beside_a_consumer_that_moves_on_nothing_is_missed_between_its_first_message_and_the_end()
    {
        using MappedQueue<Note> queue = Open(Bounded with { FullMode = FullMode.Wait, Capacity = 1 << 18 });
        using var ended = new CancellationTokenSource();
        var passing = Task.Run(() =>
        {
            for (int id = 0; !ended.IsCancellationRequested; id++)
            {
                SendAndReceive(queue, id, 1);
            }
        });
        using MappedQueue<Note> other = Open();
        for (int round = 0; round < 50; round++)
        {
            using Subscription<Note> late = other.Subscribe("late");
            long[] seen = Drain(late);
            Assert.Equal(seen.Length, seen.Length == 0 ? 0 : seen[^1] - seen[0] + 1);
            Assert.True(other.DeleteSubscription("late"));
        }
        await ended.CancelAsync();
        await passing;
    }

    private static void SendAndReceive(MappedQueue<Note> queue, int first, int count)
    {
        Note? note = null;
        for (int id = first; id < first + count; id++)
        {
            queue.Enqueue(Of(id, 500));
            Assert.True(queue.TryDequeue(ref note));
        }
    }

    private static long[] Drain(Subscription<Note> subscription)
    {
        List<long> ids = [];
        for (Note? note = null; subscription.TryDequeue(ref note);)
        {
            ids.Add(note!.Id);
        }
        return [.. ids];
    }
}
