using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Processes that are stopped while they commit: nothing is taken from them, and who needs what they hold is told so.</summary>
public sealed class TransactionStopTests : IDisposable
{
    private readonly StoreSite _store = new();

    [Theory]
    [InlineData(nameof(ProtocolStep.CommitLockAcquired))]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired))]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked))]
    [InlineData(nameof(ProtocolStep.TransactionWritten))]
    [InlineData(nameof(ProtocolStep.TransactionDecided))]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded))]
    [InlineData(nameof(ProtocolStep.TransactionReleased))]
    public void Who_commits_while_another_is_stopped_is_told_so_and_has_done_nothing(string stepName)
    {
        _store.Fill(20);
        using MappedStore store = _store.Open();
        MappedQueue<Parcel> other = store.OpenQueue<Parcel>("other"), from = store.OpenQueue<Parcel>("queue");
        using Peer stopped = Peer.StartToStop(
            _store.Site, Enum.Parse<ProtocolStep>(stepName), 3, "store-transfer", $"to={StoreSite.To}", "batch=2").WaitForStop();
        using (QueueTransaction transaction = store.Begin())
        {
            Parcel? parcel = null;
            Assert.True(transaction.TryReceive(from, ref parcel));
            transaction.Enqueue(other, parcel!);
            Assert.Contains(
                $"process {stopped.Id}", Assert.Throws<QueueStalledException>(() => transaction.TryCommit()).Message,
                StringComparison.Ordinal);
            Assert.Contains(
                "Nothing was committed", Assert.Throws<QueueStalledException>(() => transaction.Commit()).Message,
                StringComparison.Ordinal);
            Assert.Empty(StoreSite.Take(other));
        }
        // What needs no transaction goes on.
        other.Enqueue(new Parcel().Fill(2, 0, 10));
        Parcel? received = null;
        Assert.True(other.TryDequeue(ref received));
        stopped.Continue();
        stopped.WaitFor("ready").Finish();
        _store.AssertEachOnce();
    }

    // A living process has taken the append lock over from the dead one, and not published what that had committed: until then nobody
    // forgets the transaction. Then it dies, too.
    [Fact]
    public void A_transaction_is_not_forgotten_before_the_process_that_took_over_has_published_it()
    {
        _store.Fill(1);
        using (var dead = Peer.StartToDie(_store.Site, ProtocolStep.TransactionDecided, 1, "store-send", "to=queue", "count=1"))
        {
            dead.WaitForDeath();
        }
        using Peer taker = Peer.StartToStop(_store.Site, ProtocolStep.RollForwardLockAcquired, 1, "produce", "producer=3", "count=1")
            .WaitForStop();
        using MappedStore store = _store.Open();
        MappedQueue<Parcel> other = store.OpenQueue<Parcel>("other");
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(other, new Parcel().Fill(1, 0, 10));
            Assert.Throws<QueueStalledException>(() => transaction.Commit());
        }
        taker.Kill();
        taker.WaitForDeath();
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(other, new Parcel().Fill(1, 1, 10));
            transaction.Commit();
        }
        using MappedQueue<Parcel> queue = StoreSite.Alone(_store.Site.Queue);
        Assert.Equal([0, 0], StoreSite.Take(queue));
        Assert.Equal([1], StoreSite.Take(other));
    }

    // However long it takes, as with a slow disk: who finds no message does not open the store over and over.
    [Fact]
    public void Who_finds_no_message_leaves_a_transaction_to_the_living_process_that_carries_it_out()
    {
        _store.Fill(20);
        using MappedQueue<Parcel> right = StoreSite.Alone(_store.Right);
        using Peer stopped = Peer.StartToStop(
            _store.Site, ProtocolStep.TransactionDecided, 1, "store-transfer", $"to={StoreSite.To}", "batch=2").WaitForStop();
        var files = new QueueFiles(_store.Site.Root, default);
        using var file = TransactionFile.Open(files);
        int[] before = Incarnations();
        Parcel? parcel = null;
        for (DateTime end = DateTime.UtcNow.AddMilliseconds(300); DateTime.UtcNow < end;)
        {
            Assert.False(right.TryDequeue(ref parcel));
            right.GetStatus();
        }
        Assert.Equal(before, Incarnations());
        stopped.Continue();
        stopped.WaitFor("ready").Finish();

        int[] Incarnations() => [.. Enumerable.Range(0, ControlFormat.MaximumParticipants)
            .Select(index => file.Control.Incarnation(index))];
    }

    [Fact]
    public void Who_sends_to_a_queue_whose_appender_is_stopped_is_told_so_and_others_go_on()
    {
        using MappedStore store = _store.Open();
        MappedQueue<Parcel> queue = store.OpenQueue<Parcel>("queue"), left = store.OpenQueue<Parcel>("left"),
            right = store.OpenQueue<Parcel>("right");
        using Peer stopped = Peer.StartToStop(_store.Site, ProtocolStep.AppendPacked, 1, "produce", "producer=2", "count=1").WaitForStop();
        using (QueueTransaction blocked = store.Begin())
        {
            blocked.EnqueueToAll(new Parcel().Fill(1, 0, 10), left, queue);
            Assert.Throws<QueueStalledException>(() => blocked.TryCommit());
            Exception? thrown = null;
            var committer = new Thread(() => thrown = Record.Exception(() => blocked.Commit()));
            committer.Start();
            using (QueueTransaction transaction = store.Begin())
            {
                transaction.EnqueueToAll(new Parcel().Fill(1, 1, 10), left, right);
                transaction.Commit();
            }
            committer.Join();
            Assert.Contains($"process {stopped.Id}", Assert.IsType<QueueStalledException>(thrown).Message, StringComparison.Ordinal);
            Assert.Equal([1], StoreSite.Take(left));
            stopped.Continue();
            Assert.Equal(0, stopped.WaitForExit());
            blocked.Commit();
        }
        Assert.Equal([0], StoreSite.Take(left));
        Assert.Equal([0], StoreSite.Take(queue));
        Assert.Equal([1], StoreSite.Take(right));
    }

    public void Dispose() => _store.Dispose();
}
