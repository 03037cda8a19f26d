using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class SegmentAllocatorTests : QueueFixture
{
    [Fact]
    public void What_is_asked_for_while_a_segment_is_being_made_is_made_after_it()
    {
        using MappedQueue<Note> queue = Open();
        SegmentAllocator allocator = queue.Store.Allocator;
        allocator.PrepareInBackground(1, TimeSpan.MaxValue);
        allocator.PrepareInBackground(4, TimeSpan.MaxValue);
        Assert.True(SpinWait.SpinUntil(() => allocator.IsReady(4), TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void A_subscription_whose_maker_died_retains_segments_before_anybody_was_told_of_it()
    {
        using MappedQueue<Note> queue = Open();
        queue.Enqueue(Of(0));
        QueueStore store = queue.Store;
        MachineMemory.Increment(ref store.Control.Subscriptions);
        Assert.Single(store.Subscriptions.All());
        SubscriptionFile.Make(store.Files, store.Meta, "late", store.Meta.FirstOf(0));
        for (int id = 1; id < 500; id++)
        {
            queue.Enqueue(Of(id, 1000));
            Drain(queue);
        }
        using Subscription<Note> late = queue.Subscribe("late");
        Assert.Equal(Enumerable.Range(0, 500).Select(static id => (long)id), SubscriptionTests.Drain(late));
    }
}
