using BlitQueue.Log;
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
        using var maker = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), 1, "produce", "count=10", "segment=131072");
        maker.WaitForDeath();

        // With another size than the dead maker's: what it left decides nothing.
        using var survivor = new Survivor(site);
        survivor.Enqueue();
        survivor.Drain();
        Assert.Equal(1, survivor.History.Deliveries);
        survivor.AssertNoFaults();
        Assert.DoesNotContain(site.Files(), static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Steps))]
    public void What_a_killed_maker_left_a_repair_leaves_to_the_next_who_opens(string stepName)
    {
        using var site = new Site();
        using var maker = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), 1, "produce", "count=10", "segment=131072");
        maker.WaitForDeath();
        string[] left = site.Files();
        RecoveryReport report = MappedQueue.Repair(site.Queue);
        Assert.Contains("nothing to repair", Assert.Single(report.Findings).What, StringComparison.Ordinal);
        Assert.Equal((0, site.Queue), (report.MessageCount, report.Path));
        Assert.Empty(report.SetAside);
        Assert.Equal(left, site.Files());

        using var survivor = new Survivor(site);
        survivor.Enqueue();
        survivor.Drain();
        survivor.AssertNoFaults();
        Assert.Equal(1, survivor.History.Deliveries);
    }

    // An earlier library's repair, or one that was killed, left the mark of its beginning.
    [Fact]
    public void A_repair_that_was_begun_where_a_maker_was_killed_ends_with_the_next()
    {
        using var site = new Site();
        using var maker = Peer.StartToDie(site, ProtocolStep.StoreControlMade, 1, "produce", "count=10");
        maker.WaitForDeath();
        File.Create(site.File(StoreFormat.RepairName)).Dispose();
        Assert.Contains("nothing to repair", Assert.Single(MappedQueue.Repair(site.Queue).Findings).What, StringComparison.Ordinal);
        Assert.False(File.Exists(site.File(StoreFormat.RepairName)));
        MappedQueue<Parcel>.Open(site.Queue).Dispose();
    }

    [Fact]
    public void Where_the_maker_of_dead_letters_was_killed_a_repair_leaves_them_to_their_first_use()
    {
        using var site = new Site();
        using (var queue = MappedQueue<Parcel>.Open(site.Queue))
        {
            for (int number = 0; number < 100; number++)
            {
                queue.Enqueue(new Parcel().Fill(1, number, 100));
            }
        }
        using (var maker = Peer.StartToDie(site, ProtocolStep.StoreControlMade, 1, "sort"))
        {
            maker.WaitForDeath();
        }
        string letters = site.File(StoreFormat.DeadLettersName("default"));
        Assert.False(File.Exists(Path.Combine(letters, StoreFormat.MetaName)));
        RecoveryReport report = MappedQueue.Repair(site.Queue);
        Assert.StartsWith(letters, Assert.Single(report.Findings).File, StringComparison.Ordinal);
        using var again = MappedQueue<Parcel>.Open(site.Queue);
        using Subscription<Parcel> subscription = again.Subscribe("default");
        Assert.True(subscription.TryReceive(out Lease<Parcel> lease));
        lease.DeadLetter("for the test");
        Assert.Equal(1, subscription.DeadLetters.Count);
    }

    [Fact]
    public void What_a_killed_maker_left_in_a_store_prevents_no_other_queues_repair()
    {
        using var site = new Site();
        string other = Path.Combine(site.Root, "zz");
        using (var store = MappedStore.Open(site.Root))
        {
            store.OpenQueue<Parcel>("zz").Enqueue(new Parcel().Fill(1, 0, 100));
        }
        using (var maker = Peer.StartToDie(site, ProtocolStep.StoreControlMade, 1, "produce", "count=10"))
        {
            maker.WaitForDeath();
        }
        File.Delete(Path.Combine(other, StoreFormat.MetaName));
        RecoveryReport report = MappedQueue.Repair(site.Root);
        Assert.Equal(2, report.Findings.Count);
        Assert.Equal(1, report.MessageCount);
        using var again = MappedStore.Open(site.Root);
        Parcel? parcel = null;
        Assert.True(again.OpenQueue<Parcel>("zz").TryDequeue(ref parcel) && parcel!.IsIntact());
        again.OpenQueue<Parcel>("queue").Enqueue(parcel);
    }

    [Fact]
    public void A_newer_message_type_whose_process_died_while_it_was_let_in_leaves_the_queue_as_it_was()
    {
        using var site = new Site();
        using (var older = MappedQueue<PartOfParcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 }))
        {
            older.Enqueue(new PartOfParcel { Producer = 1 });
        }
        byte[] before = Site.Read(site.File(StoreFormat.MetaName));
        using (var newer = Peer.StartToDie(site, ProtocolStep.StoreSchemaWritten, 1, "produce", "count=10"))
        {
            newer.WaitForDeath();
        }
        Assert.Equal(before, Site.Read(site.File(StoreFormat.MetaName)));

        using var queue = MappedQueue<Parcel>.Open(site.Queue);
        Parcel? parcel = null;
        Assert.True(queue.TryDequeue(ref parcel) && parcel!.Producer == 1);
        Assert.DoesNotContain(site.Files(), static name => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal));
    }

    [Fact]
    public void Processes_that_open_a_new_queue_at_the_same_time_share_it()
    {
        using var site = new Site();
        Peer[] peers = [.. Enumerable.Range(1, 4)
            .Select(producer => Peer.Start(site, "produce", $"producer={producer}", "count=50", "segment=65536"))];
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
