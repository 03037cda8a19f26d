using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class CapacityProcessTests : IDisposable
{
    private const int Count = 2000, Size = 1000;

    private readonly Site _site = new();

    [Fact]
    public void What_one_process_sets_applies_to_another_that_gives_none_and_has_the_queue_open()
    {
        using MappedQueue<Parcel> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Capacity = 8192 });
        using Peer producer = Peer.Start(_site, "produce", $"count={Count}", $"size={Size}").WaitFor("ready");
        AssertFills(queue, 8192);
        Open(new QueueOptions { Capacity = 1 << 18 }).Dispose();
        AssertFills(queue, 1 << 18);
        Open(new QueueOptions { Capacity = 0 }).Dispose();
        Assert.Equal(0, producer.WaitForExit());
        Assert.Equal(Count, queue.GetStatus().MessageCount);
    }

    // Until the producer sleeps, as one more message has no room: where a segment begins, its header needs some too.
    private void AssertFills(MappedQueue<Parcel> queue, long capacity)
    {
        long least = capacity - SegmentFormat.PageSize - (2 * Size);
        Assert.True(SpinWait.SpinUntil(() => queue.GetStatus().Bytes >= least && ProducersSleep(), Peer.Patience));
        Assert.InRange(queue.GetStatus().Bytes, least, capacity);
    }

    private bool ProducersSleep()
    {
        using FileStream control = File.Open(
            _site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        control.Position = ControlFormat.RoomWakeOffset;
        Span<byte> sleepers = stackalloc byte[sizeof(int)];
        control.ReadExactly(sleepers);
        return (BitConverter.ToInt32(sleepers) & 1) != 0;
    }

    private MappedQueue<Parcel> Open(QueueOptions options) => MappedQueue<Parcel>.Open(_site.Queue, options);

    public void Dispose() => _site.Dispose();
}
