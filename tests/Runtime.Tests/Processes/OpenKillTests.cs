using BlitQueue.Segments;
using Xunit;

namespace BlitQueue.Tests.Processes;

[Collection(ProcessCollection.Name)]
public sealed class OpenKillTests
{
    public static TheoryData<string> Steps() => [.. Enum.GetNames<ProtocolStep>()
        .Where(static step => step is "SegmentCreated" or "SegmentPreallocated" or "SegmentWritten" or "SegmentRenamed"
            || (step.StartsWith("Store", StringComparison.Ordinal) && step != nameof(ProtocolStep.StoreSchemaWritten)))];

    [Theory]
    [MemberData(nameof(Steps))]
    public void A_maker_killed_at_any_step_leaves_no_half_made_queue(string stepName)
    {
        using var site = new Site();
        using Peer maker = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), 1, "produce", "count=10", "segment=131072");
        maker.WaitForDeath();

        // With another size than the dead maker's: what it left decides nothing.
        using var survivor = new Survivor(site);
        survivor.Enqueue();
        survivor.Drain();
        Assert.Equal(1, survivor.History.Deliveries);
        survivor.AssertNoFaults();
        Assert.DoesNotContain(site.Files(), static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal));
    }

    [Fact]
    public void A_newer_message_type_whose_process_died_while_it_was_let_in_leaves_the_queue_as_it_was()
    {
        using var site = new Site();
        using (var older = MappedQueue<PartOfParcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            older.Enqueue(new PartOfParcel { Producer = 1 });
        }
        byte[] before = File.ReadAllBytes(site.File(StoreFormat.MetaName));
        using (Peer newer = Peer.StartToDie(site, ProtocolStep.StoreSchemaWritten, 1, "produce", "count=10"))
        {
            newer.WaitForDeath();
        }
        Assert.Equal(before, File.ReadAllBytes(site.File(StoreFormat.MetaName)));

        using var queue = MappedQueue<Parcel>.Open(site.Queue);
        Parcel? parcel = null;
        Assert.True(queue.TryDequeue(ref parcel) && parcel!.Producer == 1);
        Assert.DoesNotContain(site.Files(), static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal));
    }

    [Fact]
    public void Processes_that_open_a_new_queue_at_the_same_time_share_it()
    {
        using var site = new Site();
        Peer[] peers = [.. Enumerable.Range(1, 4).Select(producer => Peer.Start(site, "produce", $"producer={producer}", "count=50", "segment=65536"))];
        foreach (Peer peer in peers)
        {
            Assert.Equal(0, peer.WaitForExit());
        }
        using var survivor = new Survivor(site);
        survivor.Drain();
        foreach (Peer peer in peers)
        {
            survivor.History.ReadLog(peer.LogPath);
            peer.Dispose();
        }
        Assert.Equal(200, survivor.History.Deliveries);
        survivor.AssertNoFaults();
    }
}
