using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A consumer that is killed while it keeps the files of a large message for the next one.</summary>
[Collection(ProcessCollection.Name)]
public sealed class LargeMessageKillTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void What_it_has_kept_goes_when_the_queue_is_opened()
    {
        ConsumeAndDie();
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.True(SpinWait.SpinUntil(() => Segments() <= 3, Peer.Patience));
    }

    [Fact]
    public void What_it_has_kept_goes_when_another_handle_is_disposed()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            ConsumeAndDie();
        }
        Assert.InRange(Segments(), 1, 3);
    }

    public void Dispose() => _site.Dispose();

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 4 << 20 });

    private void ConsumeAndDie()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 70 << 20));
        }
        using var consumer = Peer.Start(_site, "consume");
        Assert.True(SpinWait.SpinUntil(
            () => MappedQueue.Verify(_site.Queue).Subscriptions is [{ Waiting: 0 }], Peer.Patience));
        consumer.Kill();
        consumer.WaitForDeath();
        Assert.InRange(Segments(), 16, 20);
    }

    private int Segments() => _site.Files().Count(static name => name.StartsWith(StoreFormat.SegmentPrefix, StringComparison.Ordinal));
}
