using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Where the file of a subscription is gone nothing is given up: the queue is not opened until somebody decides so.</summary>
public sealed class LostSubscriptionTests : QueueFixture
{
    [Fact]
    public void Without_the_default_one_the_queue_is_not_opened_and_a_repair_has_it_begin_anew()
    {
        Fill();
        File.Delete(Site.File(StoreFormat.SubscriptionName("default")));
        for (int i = 0; i < 2; i++)
        {
            QueueCorruptException refused = Assert.Throws<QueueCorruptException>(() => Open());
            Assert.Contains("1 of 2 subscriptions", refused.Message, StringComparison.Ordinal);
        }
        Assert.Contains(
            MappedQueue.Repair(Site.Queue).Findings,
            static finding => finding.What.StartsWith("it is missing: begun anew", StringComparison.Ordinal));
        using MappedQueue<Note> queue = Open();
        Assert.Equal(Ids(0, 3000), Drain(queue));
        Assert.Equal(10, NextOf(queue, "audit"));
    }

    [Fact]
    public void Another_one_is_given_up_by_a_repair_that_says_so()
    {
        Fill();
        string file = Site.File(StoreFormat.SubscriptionName("audit"));
        byte[] before = Processes.Site.Read(file);
        File.Delete(file);
        Assert.Throws<QueueCorruptException>(() => Open());
        File.WriteAllBytes(file, before);
        using (MappedQueue<Note> queue = Open())
        {
            Assert.Equal(10, NextOf(queue, "audit"));
        }
        File.Delete(file);
        Assert.Contains(
            MappedQueue.Repair(Site.Queue).Findings,
            static finding => finding.What.Contains("1 more subscriptions", StringComparison.Ordinal));
        Assert.Equal(Ids(1, 3000), Drain(Open()));
        Assert.Equal(["default"], Open().GetStatus().Subscriptions.Select(static subscription => subscription.Name));
    }

    [Fact]
    public void Nor_is_it_opened_by_another_while_it_is_in_use()
    {
        Fill();
        using (MappedQueue<Note> queue = Open())
        {
            string file = Site.File(StoreFormat.SubscriptionName("audit"));
            byte[] before = Processes.Site.Read(file);
            File.Delete(file);
            Assert.Throws<QueueCorruptException>(() => Open());
            File.WriteAllBytes(file, before);
        }
        using MappedQueue<Note> again = Open();
        Assert.Equal(10, NextOf(again, "audit"));
    }

    [Fact]
    public void A_segment_that_is_missing_too_does_not_hide_it()
    {
        Fill();
        File.Delete(SegmentFiles()[3]);
        File.Delete(Site.File(StoreFormat.SubscriptionName("audit")));
        Assert.Throws<QueueCorruptException>(() => Open());
    }

    [Fact]
    public void A_subscription_that_could_not_be_made_changes_nothing()
    {
        Fill();
        string inTheWay = Site.File(StoreFormat.SubscriptionName("more") + StoreFormat.UnfinishedSuffix);
        using (MappedQueue<Note> queue = Open())
        {
            Directory.CreateDirectory(Path.Combine(inTheWay, "full"));
            Assert.ThrowsAny<Exception>(() => queue.Subscribe("more"));
            Directory.Delete(inTheWay, recursive: true);
        }
        File.Delete(Site.File(StoreFormat.SubscriptionName("audit")));
        Assert.Throws<QueueCorruptException>(() => Open());
    }

    [Fact]
    public void What_comes_and_goes_by_calls_is_counted()
    {
        Fill();
        for (int i = 0; i < 3; i++)
        {
            using MappedQueue<Note> queue = Open();
            using (queue.Subscribe($"more{i}"))
            {
            }
            using (queue.Subscribe("short", new SubscriptionOptions { Ephemeral = true }))
            {
            }
            if (i > 0)
            {
                Assert.True(queue.DeleteSubscription($"more{i - 1}"));
            }
        }
        Assert.Equal(["audit", "default", "more2"], Open().GetStatus().Subscriptions.Select(static subscription => subscription.Name));
    }

    // More segments than are kept for use; one subscription has consumed one message, the other ten.
    private void Fill()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Oldest });
        for (int id = 0; id < 3000; id++)
        {
            queue.Enqueue(Of(id, 200));
        }
        Note? note = null;
        Assert.True(queue.TryDequeue(ref note));
        for (int i = 0; i < 10; i++)
        {
            Assert.True(audit.TryDequeue(ref note));
        }
    }

    private static IEnumerable<long> Ids(int from, int to) => Enumerable.Range(from, to - from).Select(static id => (long)id);

    private static int NextOf(MappedQueue<Note> queue, string name)
    {
        using Subscription<Note> subscription = queue.Subscribe(name);
        return NextOf(subscription);
    }
}
