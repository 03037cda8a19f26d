using BlitQueue.Log;
using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

public sealed class RetentionTests : QueueFixture
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [Fact]
    public void Passed_segments_stay_as_long_as_there_are_fewer_bytes_than_asked_for()
    {
        using MappedQueue<Note> queue = Open(Small with { RetainBytes = 200_000 });
        SendAndReceive(queue, 0, 1000);
        using Subscription<Note> late = queue.Subscribe("late");
        long[] kept = SubscriptionTests.Drain(late);
        Assert.Equal(999, kept[^1]);
        Assert.InRange(kept.Length, 180, 400);
        Assert.Equal(Ids((int)kept[0], kept.Length), kept);
    }

    [Fact]
    public void Passed_segments_stay_as_long_as_asked_for_and_another_handle_can_end_it()
    {
        using MappedQueue<Note> queue = Open(Small with { RetainFor = TimeSpan.FromHours(1) });
        SendAndReceive(queue, 0, 500);
        using (Subscription<Note> late = queue.Subscribe("late"))
        {
            Assert.Equal(Ids(0, 500), SubscriptionTests.Drain(late));
        }
        queue.DeleteSubscription("late");
        // From here on the handle above may delete at any moment.
        Open(Small with { RetainFor = TimeSpan.Zero }).Dispose();
        SendAndReceive(queue, 500, 200);
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 4, TimeSpan.FromSeconds(30)), $"{Segments()} segments are left.");
    }

    [Fact]
    public void A_deleted_subscriptions_segments_go_at_once()
    {
        using MappedQueue<Note> queue = Open(Small);
        queue.Subscribe("slow").Dispose();
        SendAndReceive(queue, 0, 500);
        Assert.True(Segments() > 5);
        queue.DeleteSubscription("slow");
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 4, TimeSpan.FromSeconds(30)), $"{Segments()} segments are left.");
    }

    [Fact]
    public void Segments_that_were_passed_while_another_handle_held_them_go_afterwards()
    {
        using MappedQueue<Note> queue = Open(Small);
        using MappedQueue<Note> other = Open(Small);
        for (int id = 0; id < 500; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        other.Store.Hold.While(first: 0, () =>
        {
            Assert.Equal(500, Drain(queue).Length);
            // For the attempts to be made, and to fail.
            Thread.Sleep(100);
            Assert.True(Segments() > 5);
        });
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 4, TimeSpan.FromSeconds(30)), $"{Segments()} segments are left.");
    }

    [Fact]
    public void What_a_deleted_subscription_retained_is_gone_when_the_handle_is_closed()
    {
        using (MappedQueue<Note> queue = Open(Small))
        {
            queue.Subscribe("slow").Dispose();
            SendAndReceive(queue, 0, 500);
            Assert.True(Segments() > 5);
            queue.DeleteSubscription("slow");
        }
        Assert.True(Segments() <= 4, $"{Segments()} segments are left.");
    }

    [Fact]
    public void A_purge_drops_what_waits_and_what_is_retained_but_no_lease()
    {
        using MappedQueue<Note> queue = Open(Small with { RetainBytes = 10 << 20 });
        using Subscription<Note> audit = queue.Subscribe("audit");
        SendAndReceive(queue, 0, 300);
        queue.Enqueue(Of(300));
        Assert.Equal(300, SubscriptionTests.Drain(audit).Length - 1);
        queue.Enqueue(Of(301));
        Lease<Note> lease = audit.Receive(), given = default;
        queue.Enqueue(Of(302));
        given = audit.Receive();
        given.Abandon();
        queue.Purge();
        Assert.Empty(Drain(queue));
        Assert.Empty(SubscriptionTests.Drain(audit));
        Assert.True(Segments() <= 3, $"{Segments()} segments are left.");
        Note? note = null;
        lease.ReadInto(ref note);
        Assert.Equal(301, note!.Id);
        lease.Commit();
        queue.Enqueue(Of(303));
        Assert.Equal([303L], SubscriptionTests.Drain(audit));
        Assert.Equal(1, queue.GetStatus().MessageCount);
    }

    [Fact]
    public void With_a_capacity_as_many_bytes_of_files_stay_and_a_purge_gives_them_back()
    {
        using MappedQueue<Note> queue = Open(Small with { Capacity = 10 << 16 });
        for (int id = 0; id < 500; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        int files = Segments();
        Assert.InRange(files, 8, 10);
        Drain(queue);
        SendAndReceive(queue, 500, 2000);
        // What was passed, what is written and what was made ahead.
        Assert.InRange(Segments(), files, 12);
        queue.Purge();
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 3, TimeSpan.FromSeconds(30)), $"{Segments()} segments are left.");
    }

    private static void SendAndReceive(MappedQueue<Note> queue, int first, int count)
    {
        for (int id = first; id < first + count; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
        }
    }

    // Without those that were deleted and cannot go while they are mapped.
    private int Segments() => Site.Files().Count(static name =>
        name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal) && !name.Contains("aside", StringComparison.Ordinal));
}
