using System.Buffers.Binary;
using BlitQueue.Log;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Processes are killed at named steps of the protocol; the others go on, and nothing is lost, doubled or torn. Here are some of the steps,
/// and what is particular; the campaign <c>steps</c> of tests/Reliability has them all.
/// </summary>
public sealed class KillAtStepTests(ITestOutputHelper output)
{
    private const int Batch = 3;

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), 1)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 7)]
    [InlineData(nameof(ProtocolStep.RollPadPublished), 2)]
    [InlineData(nameof(ProtocolStep.SegmentRenamed), 2)]
    [InlineData(nameof(ProtocolStep.SegmentDeleted), 1)]
    [InlineData(nameof(ProtocolStep.DequeueCommitted), 7)]
    [InlineData(nameof(ProtocolStep.LeaseTaken), 7)]
    public void A_process_killed_at_a_step_loses_nothing_acknowledged(string stepName, int time)
    {
        ProtocolStep step = Enum.Parse<ProtocolStep>(stepName);
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        string command = CommandThatReaches(step, survivor);
        using var peer = Peer.StartToDie(site, step, time, command, "producer=1", "count=2000", "size=1500", $"batch={Batch}");
        peer.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, Batch);
        survivor.History.KilledConsumer(peer.LogPath);
        // Only who takes and consumes in one step, and dies before it can say so, takes a message along. Segments are made and deleted
        // by another thread: that the first one dies just there cannot be told.
        survivor.History.MayLack = step == ProtocolStep.DequeueCommitted || IsSegment(step) ? 1 : 0;
        EndWell(site, survivor, HoldsLock(step));
    }

    // The killed producer has published its message and not yet woken who waits for it.
    [Fact]
    public void A_sleeping_consumer_gets_the_message_whose_producer_died_before_waking_it()
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using var peer = Peer.StartToDie(site, ProtocolStep.AppendLockReleased, 1, "produce", "producer=1");
        Parcel? parcel = null;
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        survivor.Queue.Dequeue(ref parcel, tooLong.Token);
        Assert.True(parcel!.Producer == 1 && parcel.Number == 0 && parcel.IsIntact());
        peer.WaitForDeath();
    }

    // Consumers are then ahead of the tail: what is enqueued next must not come to stand behind them.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished), "produce")]
    [InlineData(nameof(ProtocolStep.AppendPublished), "batch")]
    [InlineData(nameof(ProtocolStep.RollPadPublished), "produce")]
    public void What_a_dead_producer_published_may_be_consumed_before_its_lock_is_taken_over(string stepName, string command)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using var peer = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), 1, command, "producer=1", "size=1500", $"batch={Batch}");
        peer.WaitForDeath();
        survivor.Drain();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, Batch);
        EndWell(site, survivor, lockHeld: true);
        survivor.AssertNotDelayed();
    }

    [Fact]
    public void What_a_dead_producer_published_can_be_sought_before_its_lock_is_taken_over()
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using var peer = Peer.StartToDie(site, ProtocolStep.AppendPublished, 1, "batch", "producer=1", "size=1500", $"batch={40 * Batch}");
        peer.WaitForDeath();
        using Subscription<Parcel> subscription = survivor.Queue.Subscribe("default");
        Parcel? parcel = null;
        for (int number = 0; number < 40 * Batch; number++)
        {
            Lease<Parcel> lease = subscription.Receive();
            subscription.Seek(lease.Position);
            Assert.True(subscription.TryPeek(ref parcel));
            Assert.Equal((1, number), (parcel!.Producer, parcel.Number));
            lease.Commit();
            Assert.True(subscription.TryDequeue(ref parcel));
        }
        Assert.False(subscription.TryDequeue(ref parcel));
    }

    // The dead one's records are whole, but were never announced: they stand behind whatever is enqueued next in their place.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void What_a_dead_producer_left_behind_the_next_messages_is_not_read(int count)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using var peer = Peer.StartToDie(site, ProtocolStep.AppendBatchWritten, 1, "batch", "producer=1", "size=1500", $"batch={Batch}");
        peer.WaitForDeath();
        survivor.Queue.EnqueueBatch([.. Enumerable.Range(0, count).Select(static number => new Parcel().Fill(2, number, 16))]);
        Parcel? parcel = null;
        for (int number = 0; number < count; number++)
        {
            Assert.True(survivor.Queue.TryDequeue(ref parcel));
            Assert.True(parcel!.Producer == 2 && parcel.Number == number && parcel.IsIntact());
        }
        Assert.False(survivor.Queue.TryDequeue(ref parcel));
    }

    // The next message does not fit where the dead one had begun, and the padding there is damaged later: who
    // searches behind it finds nothing of the dead.
    [Theory]
    [InlineData("running")]
    [InlineData("opened without queue.control")]
    [InlineData("repaired")]
    public void What_a_dead_producer_had_begun_does_not_come_back_by_a_damage_there(string when)
    {
        using var site = new Site(inMemory: true);
        long begun;
        using (Survivor survivor = new Survivor(site).WarmUp())
        {
            begun = survivor.Queue.GetStatus().Next.Value;
            // A batch of several segments.
            using var peer = Peer.StartToDie(
                site, ProtocolStep.AppendBatchWritten, 1, "batch", "producer=1", "size=1500", $"batch={40 * Batch}");
            peer.WaitForDeath();
            survivor.Queue.Enqueue(new Parcel().Fill(2, 0, 61_300));
        }
        site.Overwrite(StoreFormat.SegmentName(0), begun, [0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA]);
        if (when == "repaired")
        {
            MappedQueue.Repair(site.Queue);
        }
        else if (when != "running")
        {
            File.Delete(site.File(StoreFormat.ControlName));
        }
        using var queue = MappedQueue<Parcel>.Open(site.Queue);
        var got = new List<(int, long)>();
        for (Parcel? parcel = null; TryDequeue(queue, ref parcel);)
        {
            got.Add((parcel!.Producer, parcel.Number));
        }
        Assert.Equal([(2, 0)], got);
    }

    private static bool TryDequeue(MappedQueue<Parcel> queue, ref Parcel? parcel)
    {
        try
        {
            return queue.TryDequeue(ref parcel);
        }
        catch (QueueCorruptException)
        {
            return queue.SkipCorrupt() && TryDequeue(queue, ref parcel);
        }
    }

    private void EndWell(Site site, Survivor survivor, bool lockHeld)
    {
        for (int i = 0; i < 100; i++)
        {
            survivor.Enqueue();
        }
        survivor.Drain();
        survivor.AssertNoFaults();
        survivor.Report(output);
        if (lockHeld)
        {
            Assert.NotEqual(0, RepairsOf(site));
        }
    }

    // Read as a file: what it says is a matter of the format, not of this process's memory.
    private static long RepairsOf(Site site)
    {
        using FileStream control = File.Open(site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] word = new byte[8];
        control.Position = ControlFormat.RepairsOffset;
        control.ReadExactly(word);
        return BinaryPrimitives.ReadInt64LittleEndian(word);
    }

    /// <summary>Whether a process that dies at this step holds the append lock.</summary>
    internal static bool HoldsLock(ProtocolStep step) => step is ProtocolStep.AppendLockAcquired or ProtocolStep.AppendPacked
        or ProtocolStep.AppendNextSealed or ProtocolStep.AppendBatchWritten or ProtocolStep.AppendPublished
        or ProtocolStep.AppendTailMoved or ProtocolStep.RollPadPublished or ProtocolStep.RollTailMoved
        or ProtocolStep.RequeueMarked or ProtocolStep.RequeueNoted;

    /// <summary>
    /// Who works on a queue reaches every step, but segments are only deleted where more are passed than are needed anew.
    /// </summary>
    internal static string CommandThatReaches(ProtocolStep step, Survivor survivor)
    {
        if (step != ProtocolStep.SegmentDeleted)
        {
            return "work";
        }
        survivor.FillSegments();
        return "consume";
    }

    internal static bool IsSegment(ProtocolStep step) => step.ToString().StartsWith("Segment", StringComparison.Ordinal);
}
