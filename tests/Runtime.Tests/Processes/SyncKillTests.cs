using BlitQueue.Log;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>A process that commits is killed in the middle of its sync; the others commit on.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SyncKillTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(nameof(ProtocolStep.SyncBegun))]
    [InlineData(nameof(ProtocolStep.SyncWritten))]
    [InlineData(nameof(ProtocolStep.SyncAnnounced))]
    public void A_process_killed_while_it_syncs_loses_nothing_acknowledged(string stepName)
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, new QueueOptions { SegmentSize = 1 << 16, Durability = Durability.Commit }).WarmUp();
        using var peer = Peer.StartToDie(
            site, Enum.Parse<ProtocolStep>(stepName), 7, "work", "producer=1", "count=2000", "size=1500", "durability=Commit");
        peer.WaitForDeath();
        survivor.Enqueue();
        Assert.Equal(survivor.Queue.Sync.Log.Published, survivor.Queue.Sync.Log.Durable);
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, 3);
        survivor.History.KilledConsumer(peer.LogPath);
        survivor.Drain();
        survivor.AssertNoFaults();
        survivor.Report(output);
    }

    // A stopped process is in the middle of its sync for ever: nobody waits for it.
    [Theory]
    [InlineData(nameof(ProtocolStep.SyncBegun))]
    [InlineData(nameof(ProtocolStep.SyncWritten))]
    public void A_process_stopped_while_it_syncs_blocks_nobody(string stepName)
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, new QueueOptions { SegmentSize = 1 << 16, Durability = Durability.Commit }).WarmUp();
        using var peer = Peer.StartToStop(
            site, Enum.Parse<ProtocolStep>(stepName), 7, "produce", "producer=1", "count=7", "size=1500", "durability=Commit");
        peer.WaitForStop();
        survivor.Enqueue();
        Assert.Equal(survivor.Queue.Sync.Log.Published, survivor.Queue.Sync.Log.Durable);
        peer.Continue();
        Assert.Equal(0, peer.WaitForExit());
        // What it was about to say is old by now.
        Assert.Equal(survivor.Queue.Sync.Log.Published, survivor.Queue.Sync.Log.Durable);
    }
}
