using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A queue of a store fails, or others stop or die in a long commit: that is nobody's concern who has nothing to do with it.
/// </summary>
public sealed class StoreFailureTests : IDisposable
{
    private const int Parcels = 8, Batch = 2;

    private readonly StoreSite _store = new(durable: true);

    // The disk refuses the syncs after the decision, of both queues; they stay open.
    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void A_queue_that_failed_delays_no_transaction_of_others(int sync)
    {
        _store.Fill(Parcels);
        using (MappedStore store = _store.Open())
        {
            MappedQueue<Parcel> left = store.OpenQueue<Parcel>("left"), right = store.OpenQueue<Parcel>("right");
            using (Peer peer = _store.StartToFailSync(sync))
            {
                Assert.Equal(3, peer.WaitForExit());
                Assert.Contains("is committed and visible", peer.Output, StringComparison.Ordinal);
                Assert.Contains(nameof(FailureOutcome.Committed), peer.Output, StringComparison.Ordinal);
            }
            Assert.Null(Decided());
            AssertCommits(store);
            Assert.Equal(Batch, StoreSite.Take(right).Count);
            using QueueTransaction refused = store.Begin();
            refused.EnqueueToAll(new Parcel().Fill(2, 0, 10), right, store.OpenQueue<Parcel>("other"));
            Assert.Equal(FailureOutcome.NothingDone, Assert.Throws<QueueFailedException>(() => refused.Commit()).Outcome);
            right.Subscribe("default").Seek(QueuePosition.Oldest);
        }
        _store.AssertEachOnce();
        Assert.Empty(NamedFiles.In(_store.Site.Root, TransactionFormat.OwedName("")));
    }

    // What it had decided is not in the log of the queue that nobody can append to: it is kept, and comes when the queue is opened anew.
    [Fact]
    public void What_a_dead_process_had_committed_to_a_queue_that_then_failed_is_not_lost()
    {
        _store.Fill(Parcels);
        using (MappedStore store = _store.Open())
        {
            MappedQueue<Parcel> left = store.OpenQueue<Parcel>("left");
            using (Peer peer = _store.StartToDie(ProtocolStep.TransactionDecided, 2, Batch))
            {
                peer.WaitForDeath();
            }
            left.Store.Control.Failed = ControlFormat.FailedWord(5, 1);
            Assert.Throws<QueueFailedException>(left.Sync.Log.ThrowIfFailed);
            AssertCommits(store);
            Assert.Null(Decided());
            Assert.True(File.Exists(Path.Combine(_store.Site.Root, TransactionFormat.OwedName("left"))));
            Assert.Equal(Batch, StoreSite.Take(left).Count);
            left.Subscribe("default").Seek(QueuePosition.Oldest);
            AssertCommits(store);
        }
        _store.AssertEachOnce();
        Assert.Empty(NamedFiles.In(_store.Site.Root, TransactionFormat.OwedName("")));
    }

    [Fact]
    public void A_copy_of_a_queue_is_told_from_it_when_the_dead_ones_work_is_done()
    {
        _store.Fill(Parcels);
        StoreSite.Alone(_store.Left).Dispose();
        string copy = Path.Combine(_store.Site.Root, "copy");
        Directory.CreateDirectory(copy);
        foreach (string file in Directory.EnumerateFiles(_store.Left))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }
        using (var peer = Peer.StartToDie(_store.Site, ProtocolStep.TransactionDecided, 2, "store-send", "to=left,copy", "count=9"))
        {
            peer.WaitForDeath();
        }
        using (MappedStore store = _store.Open())
        {
            AssertCommits(store);
        }
        Assert.Equal([0, 1], StoreSite.Take(_store.Left));
        Assert.Equal([0, 1], StoreSite.Take(copy));
    }

    // Two parcels to each of two queues: more than is written behind the store's commit lock.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), 6)]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), 4)]
    [InlineData(nameof(ProtocolStep.CommitLockAcquired), 2)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 4)]
    [InlineData(nameof(ProtocolStep.TransactionWritten), 2)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 2)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 3)]
    public void A_process_killed_in_a_long_commit_has_transferred_all_of_it_or_nothing(string stepName, int time)
    {
        using var store = new StoreSite();
        store.Fill(Parcels, 300_000);
        using (Peer peer = store.StartToDie(Enum.Parse<ProtocolStep>(stepName), time, Batch))
        {
            peer.WaitForDeath();
        }
        store.AssertEachOnce();
    }

    // A commit that wrote all again for each missing segment would acquire the append lock once for each of them.
    [Fact]
    public void A_long_commit_takes_the_stores_turn_once_however_many_segments_are_missing()
    {
        using var store = new StoreSite();
        store.Fill(Parcels, 300_000);
        using (Peer peer = store.StartToDie(ProtocolStep.CommitLockAcquired, 2, Parcels))
        {
            peer.EndInput();
            Assert.Equal(0, peer.WaitForExit());
        }
        store.AssertEachOnce();
    }

    // It has written its messages, and gives them up again: those who append to the queue are not to wait for the one that is stopped.
    [Fact]
    public void A_long_commit_that_meets_a_stopped_one_lets_go_of_its_queues()
    {
        _store.Fill(Parcels);
        using MappedStore store = _store.Open();
        MappedQueue<Parcel> other = store.OpenQueue<Parcel>("other");
        using Peer stopped = Peer.StartToStop(
            _store.Site, ProtocolStep.TransactionWritten, 1, "store-transfer", $"to={StoreSite.To}", "batch=2").WaitForStop();
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(other, new Parcel().Fill(1, 99, 3_000_000));
            Assert.Contains(
                $"process {stopped.Id}", Assert.Throws<QueueStalledException>(() => transaction.TryCommit()).Message,
                StringComparison.Ordinal);
            Exception? thrown = null;
            var committer = new Thread(() => thrown = Record.Exception(() => transaction.Commit()));
            committer.Start();
            for (int number = 0; !committer.Join(0); number++)
            {
                Assert.True(other.TryEnqueue(new Parcel().Fill(2, number, 10)));
            }
            Assert.IsType<QueueStalledException>(thrown);
            Assert.Empty(StoreSite.Take(other));
            stopped.Continue();
            stopped.WaitFor("ready").Finish();
            transaction.Commit();
        }
        Assert.Equal([99], StoreSite.Take(other));
        _store.AssertEachOnce();
    }

    private static void AssertCommits(MappedStore store)
    {
        using MappedQueue<Parcel> other = store.OpenQueue<Parcel>("other"), durable = store.OpenQueue<Parcel>("durable", new QueueOptions
        {
            SegmentSize = 1 << 16,
            Durability = Durability.Commit,
        });
        foreach (MappedQueue<Parcel> queue in new[] { other, durable })
        {
            using QueueTransaction transaction = store.Begin();
            transaction.Enqueue(queue, new Parcel().Fill(3, 0, 10));
            transaction.Commit();
        }
        Assert.Equal(2, other.GetStatus().MessageCount + durable.GetStatus().MessageCount);
        Parcel? parcel = null;
        Assert.True(other.TryDequeue(ref parcel) && durable.TryDequeue(ref parcel));
    }

    private DecidedTransaction? Decided()
    {
        using var file = TransactionFile.Open(new QueueFiles(_store.Site.Root, default));
        return file.Read();
    }

    public void Dispose() => _store.Dispose();
}
