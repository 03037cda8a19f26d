using BlitQueue.Segments;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>A process that is the queue's only producer is killed, or stopped.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SoleProducerKillTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(nameof(ProtocolStep.SoleProducerMarked), 1)]
    [InlineData(nameof(ProtocolStep.AppendPacked), 7)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 7)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), 7)]
    [InlineData(nameof(ProtocolStep.RollPadPublished), 2)]
    [InlineData(nameof(ProtocolStep.SoleProducerUnmarked), 1)]
    public void Its_death_frees_the_turn(string stepName, int time)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer peer = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), time, "sole", "producer=1", "count=300", "size=1500");
        peer.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1);
        survivor.Drain();
        survivor.AssertNoFaults();
        survivor.Report(output);
        Assert.Equal(1, survivor.Queue.GetStatus().Repairs);
        using SoleProducer<Parcel> next = survivor.Queue.OpenSoleProducer();
        next.Enqueue(new Parcel().Fill(2, 0, 100));
    }

    [Fact]
    public void A_stopped_one_keeps_it()
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer stopped = Peer.StartToStop(site, ProtocolStep.AppendPublished, 5, "sole", "producer=1", "count=10");
        stopped.WaitForStop();
        for (int i = 0; i < 3; i++)
        {
            var refusal = Assert.ThrowsAny<QueueException>(() => survivor.Queue.Enqueue(new Parcel().Fill(9, 9, 9)));
            Assert.Contains($"process {stopped.Id} is the queue's only producer", refusal.Message, StringComparison.Ordinal);
        }
        survivor.Drain();
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        survivor.Enqueue();
        survivor.Drain();
        survivor.History.ReadLog(stopped.LogPath);
        survivor.AssertNoFaults();
        Assert.Equal(0, survivor.Queue.GetStatus().Repairs);
    }
}
