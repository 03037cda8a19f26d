using System.Text;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// After the machine went down in the middle of a durable commit: whichever of the pages had reached the disk, the transaction is in all of
/// its queues or in none. A killed process leaves the pages; what had not reached the disk is taken back by hand, or done by hand.
/// </summary>
public sealed class TransactionRecoveryTests : IDisposable
{
    private const int Parcels = 8, Batch = 2;

    private readonly StoreSite _store = new(durable: true);

    // The decision is on the disk. Of what follows, any part may be there too: each header, each ended lease.
    public static TheoryData<bool, bool, bool, string> Images()
    {
        var images = new TheoryData<bool, bool, bool, string>();
        foreach (bool left in new[] { false, true })
        {
            foreach (bool right in new[] { false, true })
            {
                foreach (bool lease in new[] { false, true })
                {
                    images.Add(left, right, lease, left ? "store" : "queues");
                }
            }
        }
        images.Add(false, false, false, "store");
        images.Add(true, false, true, "queues");
        return images;
    }

    [Theory]
    [MemberData(nameof(Images))]
    public void A_decision_that_reached_the_disk_is_carried_out(bool leftPublished, bool rightPublished, bool leaseEnded, string opener)
    {
        Die(ProtocolStep.TransactionDecisionSynced);
        DecidedTransaction decided = Decided()!;
        Assert.True(decided.IsDurable && decided.Outputs.Length == 2 && decided.Leases.Length == Batch);
        foreach (DecidedOutput output in decided.Outputs.Where(output => output.Queue == "left" ? leftPublished : rightPublished))
        {
            Write(
                Path.Combine(output.Queue, StoreFormat.SegmentName(output.Position & ~0xFFFFL)), output.Position & 0xFFFF,
                BitConverter.GetBytes(output.Header));
        }
        if (leaseEnded)
        {
            Write(SubscriptionPath, CellOffset(decided.Leases[0].Cell), new byte[16]);
        }
        PretendRestart();
        if (opener == "queues")
        {
            OpenEachAlone();
        }
        AssertTransferred(2 * Batch);
        _store.AssertEachOnce();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked))]
    [InlineData(nameof(ProtocolStep.TransactionPartsSynced))]
    [InlineData(nameof(ProtocolStep.TransactionWritten))]
    public void Without_a_decision_on_the_disk_nothing_has_happened(string stepName)
    {
        Die(Enum.Parse<ProtocolStep>(stepName));
        Assert.Null(Decided());
        PretendRestart();
        OpenEachAlone();
        AssertTransferred(Batch);
        _store.AssertEachOnce();
    }

    // The pages of the slot reach the disk in any order: the first says that it is decided, and another is as it was before.
    [Theory]
    [InlineData(TransactionFormat.LeasesOffset)]
    [InlineData(TransactionFormat.OutputsOffset)]
    [InlineData(TransactionFormat.SubscriptionsOffset)]
    public void A_decision_that_reached_the_disk_in_part_is_none(int missing)
    {
        Die(ProtocolStep.TransactionDecided);
        Assert.NotNull(Decided());
        Write(TransactionFormat.FileName, TransactionFormat.SlotOffset + missing, new byte[32]);
        PretendRestart();
        AssertTransferred(Batch);
        _store.AssertEachOnce();
    }

    // After the end was synced the slot may be that of the transaction that is over, as long as no other is written.
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionEndSynced))]
    [InlineData(nameof(ProtocolStep.TransactionNumbered))]
    public void A_transaction_that_is_over_is_not_carried_out_again(string stepName)
    {
        Die(Enum.Parse<ProtocolStep>(stepName));
        byte[] slot = Site.Read(PathOf(TransactionFormat.FileName));
        using (MappedQueue<Parcel> left = StoreSite.Alone(_store.Left))
        {
            left.Enqueue(new Parcel().Fill(2, 0, 10));
        }
        Assert.Equal(slot, Site.Read(PathOf(TransactionFormat.FileName)));
        PretendRestart();
        AssertTransferred(2 * Batch);
        _store.AssertEachOnce();
    }

    [Fact]
    public void A_decision_that_was_not_to_outlast_the_machine_does_not()
    {
        using var store = new StoreSite();
        store.Fill(Parcels);
        using (Peer peer = store.StartToDie(ProtocolStep.TransactionDecided, 2, Batch))
        {
            peer.WaitForDeath();
        }
        PretendRestart(store);
        store.AssertEachOnce();
    }

    // The machine did not go down, so a decision counts that is in memory alone.
    [Theory]
    [InlineData("queue")]
    [InlineData("left")]
    [InlineData("right")]
    public void A_decision_counts_where_a_queues_control_file_was_lost(string queue)
    {
        using var store = new StoreSite();
        store.Fill(Parcels);
        using (Peer peer = store.StartToDie(ProtocolStep.TransactionDecided, 2, Batch))
        {
            peer.WaitForDeath();
        }
        File.Delete(Path.Combine(store.Site.Root, queue, StoreFormat.ControlName));
        store.AssertEachOnce();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.RecoveryStoreWordsSet), 1)]
    [InlineData(nameof(ProtocolStep.CompletionBegun), 1)]
    [InlineData(nameof(ProtocolStep.RecoveryWordsSet), 1)]
    [InlineData(nameof(ProtocolStep.RecoveryWordsSet), 3)]
    [InlineData(nameof(ProtocolStep.CompletionQueueDone), 2)]
    [InlineData(nameof(ProtocolStep.TransactionReleased), 1)]
    public void A_recovery_that_is_killed_is_repeated(string stepName, int time)
    {
        Die(ProtocolStep.TransactionDecisionSynced);
        PretendRestart();
        using (var peer = Peer.StartToDie(
            _store.Site, Enum.Parse<ProtocolStep>(stepName), time, "store-send", "to=other", "count=1", "durable=1"))
        {
            peer.WaitForDeath();
        }
        PretendRestart();
        AssertTransferred(2 * Batch);
        _store.AssertEachOnce();
    }

    // The syncs of a transaction to two queues: each log, the decision, each log.
    [Theory]
    [InlineData(1, "nothing of the transaction was committed", 0)]
    [InlineData(2, "nothing of the transaction was committed", 0)]
    [InlineData(3, "is committed and visible", Batch)]
    [InlineData(4, "is committed and visible", Batch)]
    [InlineData(5, "is committed and visible", Batch)]
    public void A_disk_that_refuses_leaves_all_of_it_or_nothing_and_says_which(int sync, string said, int transferred)
    {
        _store.Fill(Parcels);
        using (Peer peer = _store.StartToFailSync(sync))
        {
            Assert.Equal(3, peer.WaitForExit());
            Assert.Contains(said, peer.Output, StringComparison.Ordinal);
        }
        // What the disk has not taken is not forgotten: the slot names it until it has, or a copy of it for a queue that has failed.
        Assert.Equal(sync == 3, Decided() is not null);
        Assert.Equal(sync > 3, NamedFiles.In(_store.Site.Root, TransactionFormat.OwedName("")).Any());
        AssertTransferred(transferred);
        _store.AssertEachOnce();
    }

    [Fact]
    public void Durable_transactions_of_killed_processes_are_carried_out()
    {
        Die(ProtocolStep.TransactionDecided);
        AssertTransferred(2 * Batch);
        _store.AssertEachOnce();
    }

    private string SubscriptionPath => Path.Combine("queue", StoreFormat.SubscriptionName("default"));

    private static long CellOffset(int cell) => SubscriptionFormat.CellsOffset + ((long)(cell - 1) * SubscriptionFormat.CellSize);

    // One transaction is over, the second is at the step.
    private void Die(ProtocolStep step)
    {
        _store.Fill(Parcels);
        using Peer peer = _store.StartToDie(step, step == ProtocolStep.TransactionLeaseMarked ? Batch + 2 : 2, Batch);
        peer.WaitForDeath();
    }

    private DecidedTransaction? Decided()
    {
        using var file = TransactionFile.Open(new QueueFiles(_store.Site.Root, default));
        return file.Read();
    }

    private void OpenEachAlone()
    {
        foreach (string queue in new[] { _store.Right, _store.Site.Queue, _store.Left })
        {
            StoreSite.Alone(queue).Dispose();
        }
    }

    private void AssertTransferred(int count)
    {
        using (MappedStore store = _store.Open())
        {
            using QueueTransaction transaction = store.Begin();
            transaction.Enqueue(store.OpenQueue<Parcel>("other"), new Parcel().Fill(3, 0, 10));
            transaction.Commit();
        }
        foreach (string path in new[] { _store.Left, _store.Right })
        {
            using MappedQueue<Parcel> queue = StoreSite.Alone(path);
            using Subscription<Parcel> look = queue.Subscribe("look");
            Parcel? parcel = null;
            int numbered = 0;
            while (look.TryDequeue(ref parcel))
            {
                numbered += parcel!.Producer == 1 ? 1 : 0;
            }
            Assert.Equal(count, numbered);
        }
    }

    private void PretendRestart() => PretendRestart(_store);

    private static void PretendRestart(StoreSite store)
    {
        foreach (string file in Directory.EnumerateFiles(store.Site.Root, StoreFormat.ControlName, SearchOption.AllDirectories)
            .Append(Path.Combine(store.Site.Root, TransactionFormat.FileName)))
        {
            Write(file, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"), "");
        }
    }

    private string PathOf(string name) => Path.Combine(_store.Site.Root, name);

    private void Write(string name, long offset, byte[] bytes) => Write(name, offset, bytes, _store.Site.Root);

    private static void Write(string name, long offset, byte[] bytes, string directory)
    {
        using FileStream file = File.Open(
            Path.Combine(directory, name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        file.Position = offset;
        file.Write(bytes);
    }

    public void Dispose() => _store.Dispose();
}
