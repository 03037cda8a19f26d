using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Backups of a store in the middle of transactions, whose processes were killed, and queues of a store that are opened by way of a link.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class StoreBackupTests : IDisposable
{
    private const int Parcels = 20, Batch = 2;

    private readonly StoreSite _store = new();
    private readonly Site _elsewhere = new();

    private string Target => Path.Combine(_elsewhere.Root, "backup");

    [Theory]
    [InlineData(nameof(ProtocolStep.CommitLockAcquired), 3)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 5)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 6)]
    [InlineData(nameof(ProtocolStep.TransactionWritten), 3)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 3)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 5)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 6)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 5)]
    [InlineData(nameof(ProtocolStep.TransactionNumbered), 3)]
    [InlineData(nameof(ProtocolStep.TransactionReleased), 3)]
    public void A_backup_after_a_death_in_a_transaction_has_all_of_it_or_nothing(string stepName, int time)
    {
        _store.Fill(Parcels);
        using (Peer peer = _store.StartToDie(Enum.Parse<ProtocolStep>(stepName), time, Batch))
        {
            peer.WaitForDeath();
        }
        BackupReport report = MappedQueue.Backup(_store.Site.Root, Target);
        Assert.True(
            report.Verified.IsSound && report.Damaged.Count == 0, string.Join("; ", report.Verified.Findings.Concat(report.Damaged)));
        // And the copy's copy; the store itself goes on.
        MappedQueue.Backup(Target, Target + "-2");
        AssertEachOnce(Target);
        AssertEachOnce(Target + "-2");
        _store.AssertEachOnce();
    }

    // One that was killed while it made a queue in the store, another that deletes one: neither ends the backup of the rest.
    [Fact]
    public void What_a_killed_maker_left_in_a_store_prevents_no_copy()
    {
        _store.Fill(Parcels);
        _store.Open().Dispose();
        using (var peer = Peer.StartToDie(_store.Site, ProtocolStep.StoreSubscriptionMade, 1, "store-send", "to=half", "count=1"))
        {
            peer.WaitForDeath();
        }
        Assert.True(Directory.Exists(Path.Combine(_store.Site.Root, "half")));
        BackupReport report = MappedQueue.Backup(_store.Site.Root, Target);
        Assert.Equal((Parcels, true), (report.Verified.MessageCount, report.Verified.IsSound));
        Assert.True(MappedQueue.Verify(_store.Site.Root).IsSound);
    }

    // What was decided counts by whatever way the queue is opened: the store is where the queue is, not where the link is.
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionDecided), true)]
    [InlineData(nameof(ProtocolStep.TransactionWritten), false)]
    public void A_queue_of_a_store_that_is_opened_by_a_link_delivers_nothing_that_a_dead_process_had_committed(
        string stepName, bool isCommitted)
    {
        _store.Fill(Parcels);
        using (Peer peer = _store.StartToDie(Enum.Parse<ProtocolStep>(stepName), 1, Batch))
        {
            peer.WaitForDeath();
        }
        string from = Link("from", _store.Site.Queue), right = Link("right", _store.Right);
        var taken = new List<long>();
        using (MappedQueue<Parcel> queue = StoreSite.Alone(from))
        {
            Assert.True(SpinWait.SpinUntil(
                () =>
                {
                    taken.AddRange(StoreSite.Take(queue));
                    return queue.GetStatus() is { MessageCount: 0, Subscriptions: [{ InFlight: 0 }] };
                },
                Peer.Patience));
        }
        taken.Sort();
        Assert.Equal(
            Enumerable.Range(isCommitted ? Batch : 0, Parcels - (isCommitted ? Batch : 0)).Select(static number => (long)number), taken);
        Assert.Equal(isCommitted ? Batch : 0, StoreSite.Take(right).Count);
    }

    private string Link(string name, string target) => Directory.CreateSymbolicLink(Path.Combine(_elsewhere.Root, name), target).FullName;

    private static void AssertEachOnce(string root)
    {
        using var store = MappedStore.Open(root);
        Parcel? parcel = null;
        MappedQueue<Parcel> left = store.OpenQueue<Parcel>("left"), right = store.OpenQueue<Parcel>("right");
        using Subscription<Parcel> from = store.OpenQueue<Parcel>("queue").Subscribe("default");
        while (true)
        {
            using QueueTransaction transaction = store.Begin();
            if (!transaction.TryReceive(from, ref parcel))
            {
                break;
            }
            transaction.EnqueueToAll(parcel!, left, right);
            transaction.Commit();
        }
        IEnumerable<long> all = Enumerable.Range(0, Parcels).Select(static number => (long)number);
        Assert.Equal(all, StoreSite.Take(left).Order());
        Assert.Equal(all, StoreSite.Take(right).Order());
    }

    public void Dispose()
    {
        _store.Dispose();
        _elsewhere.Dispose();
    }
}
