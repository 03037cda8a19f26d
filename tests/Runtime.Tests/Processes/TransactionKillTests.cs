using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Processes that transfer from one queue to two are killed: nothing is lost, doubled or torn apart.</summary>
/// <remarks>The campaigns <c>steps</c> and <c>kills</c> of tests/Reliability do so at every step, and at random.</remarks>
public sealed class TransactionKillTests : IDisposable
{
    private const int Parcels = 20, Batch = 2;

    private readonly StoreSite _store = new();

    // The third transaction's steps; what is done once for each queue, or for each message, is done twice.
    // All steps are in the campaign "steps".
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionWritten), 3)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 3)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 6)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 5)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 6)]
    public void A_process_killed_at_a_step_has_transferred_all_of_it_or_nothing(string stepName, int time)
    {
        _store.Fill(Parcels);
        using MappedStore open = _store.Open();
        Die(Enum.Parse<ProtocolStep>(stepName), time);
        Commit(open);
        AssertDecided(Enum.Parse<ProtocolStep>(stepName));
        _store.AssertEachOnce();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 3)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 5)]
    public void The_only_process_killed_at_a_step_has_transferred_all_of_it_or_nothing(string stepName, int time)
    {
        _store.Fill(Parcels);
        Die(Enum.Parse<ProtocolStep>(stepName), time);
        _store.AssertEachOnce();
    }

    // Nobody commits or appends: whoever looks for messages finds what the dead one had committed.
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 3)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 5)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), 5)]
    public void Consumers_get_what_a_dead_process_had_committed(string stepName, int time)
    {
        _store.Fill(Parcels);
        using MappedQueue<Parcel> left = StoreSite.Alone(_store.Left), right = StoreSite.Alone(_store.Right);
        Die(Enum.Parse<ProtocolStep>(stepName), time);
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        Parcel? parcel = null;
        for (int number = 0; number < 3 * Batch; number++)
        {
            left.Dequeue(ref parcel, tooLong.Token);
            Assert.Equal(number, parcel!.Number);
        }
        var taken = new List<long>();
        Assert.True(SpinWait.SpinUntil(() => { taken.AddRange(StoreSite.Take(right)); return taken.Count == 3 * Batch; }, Peer.Patience));
    }

    [Fact]
    public async Task An_asynchronous_consumer_gets_what_a_dead_process_had_committed()
    {
        _store.Fill(Parcels);
        using MappedQueue<Parcel> right = StoreSite.Alone(_store.Right);
        Task<Parcel> first = right.DequeueAsync().AsTask();
        Die(ProtocolStep.TransactionDecided, 1);
        Assert.Equal(0, (await first.WaitAsync(Peer.Patience)).Number);
        Assert.Equal(1, (await right.DequeueAsync().AsTask().WaitAsync(Peer.Patience)).Number);
        using MappedQueue<Parcel> left = StoreSite.Alone(_store.Left);
        Assert.Equal([0, 1], StoreSite.Take(left));
    }

    // Nobody takes a message, commits or appends: who only looks has it completed too.
    [Theory]
    [InlineData("cursor")]
    [InlineData("cursor, awaited")]
    [InlineData("peek")]
    [InlineData("status")]
    [InlineData("exclusive span")]
    [InlineData("exclusive peek")]
    public async Task Whoever_looks_finds_what_a_dead_process_had_committed(string form)
    {
        _store.Fill(Parcels);
        using MappedQueue<Parcel> right = StoreSite.Alone(_store.Right);
        using QueueCursor<Parcel> cursor = right.OpenCursor(QueuePosition.Oldest);
        using Subscription<Parcel> subscription = right.Subscribe(
            "default", new SubscriptionOptions { Exclusive = form.StartsWith("exclusive", StringComparison.Ordinal) });
        Task<Parcel>? awaited = form == "cursor, awaited" ? cursor.ReadAsync().AsTask() : null;
        Die(ProtocolStep.TransactionDecided, 1);
        Parcel? parcel = null;
        var parcels = new Parcel?[4];
        Assert.True(form switch
        {
            "cursor" => cursor.TryRead(ref parcel),
            "cursor, awaited" => (await awaited!.WaitAsync(Peer.Patience)).Number == 0,
            "status" => right.GetStatus().MessageCount == Batch,
            "exclusive span" => subscription.TryDequeue(parcels) == Batch,
            _ => subscription.TryPeek(ref parcel),
        });
    }

    // An append that knows of no store takes the dead one's append lock over.
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionWritten), 3, 2)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 3, 3)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 5, 3)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), 6, 3)]
    public void An_append_comes_behind_what_a_dead_process_had_committed(string stepName, int time, int decided)
    {
        _store.Fill(Parcels);
        using MappedQueue<Parcel> left = StoreSite.Alone(_store.Left), right = StoreSite.Alone(_store.Right);
        Die(Enum.Parse<ProtocolStep>(stepName), time);
        Parcel? parcel = null;
        foreach (MappedQueue<Parcel> queue in new[] { left, right })
        {
            queue.Enqueue(new Parcel().Fill(2, 0, 10));
            for (int number = 0; number < decided * Batch; number++)
            {
                Assert.True(queue.TryDequeue(ref parcel));
                Assert.True(parcel!.Producer == 1 && parcel.Number == number && parcel.IsIntact());
            }
            Assert.True(queue.TryDequeue(ref parcel) && parcel!.Producer == 2);
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.CompletionBegun), 1)]
    [InlineData(nameof(ProtocolStep.RollForwardPublished), 2)]
    [InlineData(nameof(ProtocolStep.CompletionQueueDone), 2)]
    [InlineData(nameof(ProtocolStep.TransactionLeaseEnded), 1)]
    public void Who_completes_for_the_dead_may_be_killed_too(string stepName, int time)
    {
        _store.Fill(Parcels);
        Die(ProtocolStep.TransactionDecided, 3);
        using (var second = Peer.StartToDie(_store.Site, Enum.Parse<ProtocolStep>(stepName), time, "store-send", "to=other", "count=1"))
        {
            second.WaitForDeath();
        }
        using (MappedStore third = _store.Open())
        {
            Commit(third);
        }
        AssertDecided(ProtocolStep.TransactionDecided);
        _store.AssertEachOnce();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), nameof(ProtocolStep.LeaseTakenOver))]
    [InlineData(nameof(ProtocolStep.TransactionWritten), nameof(ProtocolStep.LeaseTakenOver))]
    [InlineData(nameof(ProtocolStep.TransactionWritten), nameof(ProtocolStep.TransactionLeaseMarked))]
    [InlineData(nameof(ProtocolStep.TransactionWritten), nameof(ProtocolStep.TransactionDecided))]
    [InlineData(nameof(ProtocolStep.TransactionDecided), nameof(ProtocolStep.TransactionDecided))]
    public void Who_receives_after_the_dead_may_be_killed_too(string firstDeath, string secondDeath)
    {
        _store.Fill(Parcels);
        Die(Enum.Parse<ProtocolStep>(firstDeath), 2);
        Die(Enum.Parse<ProtocolStep>(secondDeath), 1);
        _store.AssertEachOnce();
    }

    // A consumer that knows of no store takes leases over from the dead.
    [Theory]
    [InlineData(nameof(ProtocolStep.TransactionLeaseMarked), 0)]
    [InlineData(nameof(ProtocolStep.TransactionWritten), 0)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), Batch)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), Batch)]
    public void A_message_of_a_dead_transaction_is_delivered_again_unless_it_was_committed(string stepName, int consumed)
    {
        _store.Fill(Parcels);
        using MappedQueue<Parcel> from = StoreSite.Alone(_store.Site.Queue);
        Die(Enum.Parse<ProtocolStep>(stepName), 1);
        using Subscription<Parcel> subscription = from.Subscribe("default");
        var numbers = new SortedSet<long>();
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                Parcel? parcel = null;
                while (subscription.TryReceive(out Lease<Parcel> lease))
                {
                    lease.ReadInto(ref parcel);
                    Assert.True(numbers.Add(parcel!.Number));
                    Assert.Equal(parcel.Number < Batch ? 2 : 1, lease.Attempt);
                    lease.Commit();
                }
                return from.GetStatus().MessageCount == 0;
            },
            Peer.Patience));
        Assert.Equal(Enumerable.Range(consumed, Parcels - consumed).Select(static number => (long)number), numbers);
    }

    // Batches over several segments: large parcels, many of them in a transaction.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), 3)]
    [InlineData(nameof(ProtocolStep.TransactionDecided), 2)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 3)]
    [InlineData(nameof(ProtocolStep.SegmentAnnounced), 4)]
    public void Large_transactions_are_carried_out_over_segments(string stepName, int time)
    {
        _store.Fill(60, size: 9000);
        using (Peer peer = _store.StartToDie(Enum.Parse<ProtocolStep>(stepName), time, batch: 20))
        {
            peer.WaitForDeath();
        }
        _store.AssertEachOnce();
    }

    private void Die(ProtocolStep step, int time)
    {
        using Peer peer = _store.StartToDie(step, time, Batch);
        peer.WaitForDeath();
    }

    // The dead one's transaction is carried out by who commits next, whatever that is.
    private static void Commit(MappedStore store)
    {
        using QueueTransaction transaction = store.Begin();
        transaction.Enqueue(store.OpenQueue<Parcel>("other"), new Parcel().Fill(3, 0, 10));
        transaction.Commit();
    }

    // Two transactions are committed, and the third where its step is behind the commit point. All of it must be there already.
    private void AssertDecided(ProtocolStep step)
    {
        bool decided = step is ProtocolStep.TransactionDecided or ProtocolStep.AppendPublished or ProtocolStep.AppendTailMoved
            or ProtocolStep.AppendLockReleased or ProtocolStep.TransactionLeaseEnded or ProtocolStep.TransactionNumbered
            or ProtocolStep.TransactionReleased or ProtocolStep.CommitLockReleased;
        foreach (string queue in new[] { _store.Left, _store.Right })
        {
            using MappedQueue<Parcel> opened = StoreSite.Alone(queue);
            Assert.Equal(Batch * (decided ? 3 : 2), opened.GetStatus().MessageCount);
        }
    }

    public void Dispose() => _store.Dispose();
}
