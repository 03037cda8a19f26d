using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death and stop of the process that alone consumes from a subscription.</summary>
[Collection(ProcessCollection.Name)]
public sealed class ExclusiveKillTests : IDisposable
{
    private static readonly SubscriptionOptions Alone = new() { Exclusive = true };

    private readonly Site _site = new();

    [Fact]
    public void Its_death_lets_the_next_one_in_at_once_and_gives_it_the_open_message()
    {
        using MappedQueue<Parcel> queue = Filled();
        using (Peer peer = Peer.Start(_site, "alone").WaitFor("holding"))
        {
            Assert.Contains($"process {peer.Id}", Assert.Throws<QueueException>(() => queue.Subscribe("default", Alone)).Message);
            using Subscription<Parcel> shared = queue.Subscribe("default");
            Assert.Contains($"process {peer.Id}", Assert.Throws<QueueException>(() => shared.TryReceive(out _)).Message);
            // A stopped process is alive: what is its own stays so.
            peer.Stop();
            Thread.Sleep(100);
            Assert.Throws<QueueException>(() => queue.Subscribe("default", Alone));
            peer.Kill();
            peer.WaitForDeath();
        }
        AssertAllInOrder(queue, firstAttempt: 2);
    }

    [Fact]
    public void Its_death_before_it_looked_for_others_lets_the_next_one_in()
    {
        using MappedQueue<Parcel> queue = Filled();
        using (var peer = Peer.StartToDie(_site, ProtocolStep.SubscriptionClaimed, 1, "alone"))
        {
            peer.WaitForDeath();
        }
        AssertAllInOrder(queue, firstAttempt: 1);
    }

    private MappedQueue<Parcel> Filled()
    {
        var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        for (int number = 0; number < 5; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
        }
        return queue;
    }

    private static void AssertAllInOrder(MappedQueue<Parcel> queue, int firstAttempt)
    {
        using Subscription<Parcel> subscription = queue.Subscribe("default", Alone);
        Parcel? parcel = null;
        for (int number = 0; number < 5; number++)
        {
            Assert.True(subscription.TryReceive(out Lease<Parcel> lease));
            lease.ReadInto(ref parcel);
            Assert.True(parcel!.Number == number && parcel.IsIntact());
            Assert.Equal(number == 0 ? firstAttempt : 1, lease.Attempt);
            lease.Commit();
        }
        Assert.False(subscription.TryReceive(out _));
    }

    public void Dispose() => _site.Dispose();
}
