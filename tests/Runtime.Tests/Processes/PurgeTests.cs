using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A purge takes no token, because no lock that another process has stops it.</summary>
[Collection(ProcessCollection.Name)]
public sealed class PurgeTests : IDisposable
{
    private readonly Site _site = new();

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), "produce", "count=500 size=1000")]
    [InlineData(nameof(ProtocolStep.AppendPacked), "produce", "count=500 size=1000")]
    [InlineData(nameof(ProtocolStep.SegmentRenamed), "produce", "count=500 size=1000")]
    [InlineData(nameof(ProtocolStep.SubscriptionMade), "subscribe", "")]
    [InlineData(nameof(ProtocolStep.SubscriptionMarkedGone), "subscribe", "")]
    [InlineData(nameof(ProtocolStep.LeaseClaimed), "lease", "count=500")]
    [InlineData(nameof(ProtocolStep.LeaseTaken), "lease", "count=500")]
    [InlineData(nameof(ProtocolStep.DequeueUnpacked), "consume", "count=500")]
    public async Task A_process_that_is_stopped_anywhere_delays_no_purge(string step, string command, string options)
    {
        using var queue = MappedQueue<Parcel>.Open(
            _site.Queue, new QueueOptions { SegmentSize = 1 << 16, StallTimeout = TimeSpan.FromMinutes(5) });
        for (int number = 0; number < 200; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 1000));
        }
        using Peer stopped = Peer.StartToStop(
            _site, Enum.Parse<ProtocolStep>(step), 1, command, options.Split(' ', StringSplitOptions.RemoveEmptyEntries)).WaitForStop();
        // Far less than the StallTimeout, which is how long a call waits for that process.
        await Task.Run(queue.Purge).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.InRange(queue.GetStatus().MessageCount, 0, 1);
        stopped.Kill();
        stopped.WaitForDeath();
        queue.Purge();
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    public void Dispose() => _site.Dispose();
}
