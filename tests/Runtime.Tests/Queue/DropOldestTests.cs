using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Segments;
using Xunit;
using static BlitQueue.Tests.Queue.SubscriptionTests;

namespace BlitQueue.Tests.Queue;

public sealed class DropOldestTests : QueueFixture
{
    private static readonly QueueOptions Bounded = new() { SegmentSize = 1 << 16, Capacity = 10_000, FullMode = FullMode.DropOldest };

    [Fact]
    public void The_oldest_go_and_are_counted_for_who_missed_them()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        using Subscription<Note> slow = queue.Subscribe("slow"), quick = queue.Subscribe("quick");
        for (int id = 0; id < 100; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Assert.Equal([id], SubscriptionTests.Drain(quick));
        }
        long[] left = SubscriptionTests.Drain(slow);
        Assert.InRange(left.Length, 8, 10);
        Assert.Equal(Ids(100 - left.Length, left.Length), left);
        Assert.Equal(100 - left.Length, slow.Dropped);
        Assert.Equal(0, quick.Dropped);
        Assert.Equal(slow.Dropped, queue.GetStatus().Subscriptions.Single(status => status.Name == "slow").Dropped);
    }

    [Fact]
    public void TryEnqueue_and_batches_drop_too()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        for (int id = 0; id < 20; id++)
        {
            Assert.True(queue.TryEnqueue(Of(id, 1000)));
        }
        queue.EnqueueBatch([Of(20, 3000), Of(21, 3000)]);
        long[] left = Drain(queue);
        Assert.Equal([20L, 21L], left[^2..]);
        Assert.Equal(Ids((int)left[0], left.Length), left);
    }

    [Fact]
    public void What_was_given_back_goes_and_what_is_leased_stays()
    {
        using MappedQueue<Note> queue = Open(Bounded);
        using Subscription<Note> subscription = queue.Subscribe("default");
        queue.Enqueue(Of(0, 1000));
        queue.Enqueue(Of(1, 1000));
        Lease<Note> given = subscription.Receive(), held = subscription.Receive();
        given.Abandon();
        for (int id = 2; id < 9; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        // The first is dropped; the second, which is leased, fills the capacity together with the rest.
        Assert.True(queue.TryEnqueue(Of(9, 1000)));
        Assert.False(queue.TryEnqueue(Of(10, 1000)));
        held.Commit();
        Assert.True(queue.TryEnqueue(Of(10, 1000)));
        Assert.Equal(10, Drain(queue)[^1]);
    }

    // At each access of the dropper in turn; of those to lease cells at some.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_subscription_that_is_deleted_meanwhile_retains_nothing(bool hasLeases)
    {
        using MappedQueue<Note> queue = Open(), other = Open();
        int accesses = DropAll(int.MaxValue);
        for (int access = 1; access <= accesses; access += access < 30 || access > accesses - 60 ? 1 : 500)
        {
            DropAll(access);
        }

        int DropAll(int interruptedBefore)
        {
            using Subscription<Note> gone = queue.Subscribe("gone");
            queue.EnqueueBatch([Of(0), Of(1), Of(2)]);
            if (hasLeases)
            {
                gone.Receive().Abandon();
            }
            using var dropper = new OldestDropper<InterruptedMemory>(queue.Store);
            int passed;
            // As in every call: what it looks at stays mapped until it ends.
            using (queue.Store.Gate.Enter())
            {
                InterruptedMemory.Before(interruptedBefore, () => Assert.True(other.DeleteSubscription("gone")));
                dropper.DropBefore(MachineMemory.Load(ref queue.Store.Control.Tail));
                passed = InterruptedMemory.End();
            }
            Assert.Empty(Drain(queue));
            queue.DeleteSubscription("gone");
            return passed;
        }
    }

    [Fact]
    public void Without_a_capacity_it_is_refused() =>
        Assert.Contains(
            "Capacity", Assert.Throws<ArgumentException>(() => Open(Bounded with { Capacity = null })).Message, StringComparison.Ordinal);
}
