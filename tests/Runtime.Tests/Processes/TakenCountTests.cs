using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>What a status says of a message whose consumer stops or dies right behind taking it.</summary>
[Collection(ProcessCollection.Name)]
public sealed class TakenCountTests : IDisposable
{
    private readonly Site _site = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_that_was_just_taken_is_counted(bool stops)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        queue.Enqueue(new Parcel().Fill(1, 0, 40));
        using Peer peer = stops
            ? Peer.StartToStop(_site, ProtocolStep.LeaseTaken, 1, "lease")
            : Peer.StartToDie(_site, ProtocolStep.LeaseTaken, 1, "lease");
        if (stops)
        {
            peer.WaitForStop();
        }
        else
        {
            peer.WaitForDeath();
        }
        QueueStatus status = queue.GetStatus();
        SubscriptionStatus one = Assert.Single(status.Subscriptions);
        Assert.Equal((1L, 0L, 1L), (status.MessageCount, one.Lag, one.InFlight));
    }

    public void Dispose() => _site.Dispose();
}
