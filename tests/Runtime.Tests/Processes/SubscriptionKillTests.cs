using BlitQueue.Log;
using BlitQueue.Peer;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Death of a process that makes or deletes a subscription.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SubscriptionKillTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void A_subscription_whose_maker_died_before_it_told_anyone_retains_what_it_needs()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Parcel().Fill(1, 0, 1000));
        using (var peer = Peer.StartToDie(_site, ProtocolStep.SubscriptionMade, 1, "subscribe"))
        {
            peer.WaitForDeath();
        }
        SendAndReceive(queue, 1, 300);
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Parcel? parcel = null;
        for (int number = 0; number < 300; number++)
        {
            Assert.True(audit.TryDequeue(ref parcel), $"Message {number} is lost.");
            Assert.True(parcel!.Number == number && parcel.IsIntact());
        }
    }

    [Fact]
    public void A_subscription_whose_deleter_died_retains_nothing_and_can_be_made_anew()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        using (var peer = Peer.StartToDie(_site, ProtocolStep.SubscriptionMarkedGone, 1, "subscribe"))
        {
            peer.WaitForDeath();
        }
        Assert.Contains("subscription-audit", _site.Files());
        SendAndReceive(queue, 0, 300);
        Assert.True(
            SpinWait.SpinUntil(() => Segments() <= 4, Peer.Patience),
            $"{Segments()} segments are left: {string.Join(", ", _site.Files())}; {queue.GetStatus()}");
        // An opener leaves it to the next one while a segment is being deleted, as the last of those above may be.
        Assert.True(SpinWait.SpinUntil(IsDeletedByOpener, Peer.Patience));
        using Subscription<Parcel> audit = queue.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Newest });
        queue.Enqueue(new Parcel().Fill(1, 300, 50));
        Parcel? parcel = null;
        Assert.True(audit.TryDequeue(ref parcel) && parcel!.Number == 300);
    }

    private bool IsDeletedByOpener()
    {
        MappedQueue<Parcel>.Open(_site.Queue).Dispose();
        return !_site.Files().Contains("subscription-audit");
    }

    private static void SendAndReceive(MappedQueue<Parcel> queue, int first, int end)
    {
        Parcel? parcel = null;
        for (int number = first; number < end; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
            while (queue.TryDequeue(ref parcel))
            {
            }
        }
    }

    private int Segments() => _site.Files().Count(static name => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal));

    public void Dispose() => _site.Dispose();
}
