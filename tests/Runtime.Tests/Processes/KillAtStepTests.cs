using System.Buffers.Binary;
using BlitQueue.Segments;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>Every named step of the protocol is where a process is killed; the others go on, and nothing is lost, doubled or torn.</summary>
[Collection(ProcessCollection.Name)]
public sealed class KillAtStepTests(ITestOutputHelper output)
{
    private const int Batch = 3;

    public static TheoryData<string, int> Deaths()
    {
        var deaths = new TheoryData<string, int>();
        foreach (ProtocolStep step in Enum.GetValues<ProtocolStep>().Where(static step => IsReachedByWork(step.ToString())))
        {
            deaths.Add(step.ToString(), 1);
            deaths.Add(step.ToString(), IsSegment(step) ? 2 : 7);
        }
        return deaths;
    }

    [Theory]
    [MemberData(nameof(Deaths))]
    public void A_process_killed_at_any_step_loses_nothing_acknowledged(string stepName, int time)
    {
        var step = Enum.Parse<ProtocolStep>(stepName);
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        string command = CommandThatReaches(step, survivor);
        using Peer peer = Peer.StartToDie(site, step, time, command, "producer=1", "count=2000", "size=1500", $"batch={Batch}");
        peer.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, Batch);
        survivor.History.KilledConsumer(peer.LogPath);
        // Only who takes and consumes in one step, and dies before it can say so, takes a message along. Segments are made and deleted
        // by another thread: that the first one dies just there cannot be told.
        survivor.History.MayLack = step == ProtocolStep.DequeueCommitted || IsSegment(step) ? 1 : 0;
        EndWell(site, survivor, HoldsTurn(step));
    }

    // Nobody is left to go on: the next one to open the queue finds it as the dead one left it.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendTurnTaken))]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten))]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.RollPadPublished))]
    [InlineData(nameof(ProtocolStep.RollTailMoved))]
    [InlineData(nameof(ProtocolStep.SegmentRenamed))]
    [InlineData(nameof(ProtocolStep.SegmentsRetired))]
    [InlineData(nameof(ProtocolStep.LeaseTaken))]
    [InlineData(nameof(ProtocolStep.LeaseReturned))]
    [InlineData(nameof(ProtocolStep.LeaseTakenOver))]
    public void The_only_process_killed_at_any_step_loses_nothing_acknowledged(string stepName)
    {
        var step = Enum.Parse<ProtocolStep>(stepName);
        using var site = new Site(inMemory: true);
        using Peer peer = Peer.StartToDie(site, step, 2, "work", "producer=1", "count=2000", "size=1500", $"batch={Batch}", "segment=65536");
        peer.WaitForDeath();
        using var survivor = new Survivor(site, new QueueOptions());
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, Batch);
        survivor.History.KilledConsumer(peer.LogPath);
        survivor.History.MayLack = IsSegment(step) ? 1 : 0;
        EndWell(site, survivor, HoldsTurn(step));
    }

    // The killed producer has published its message and not yet woken who waits for it.
    [Fact]
    public void A_sleeping_consumer_gets_the_message_whose_producer_died_before_waking_it()
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer peer = Peer.StartToDie(site, ProtocolStep.AppendTurnPassed, 1, "produce", "producer=1");
        Parcel? parcel = null;
        using var tooLong = new CancellationTokenSource(Peer.Patience);
        survivor.Queue.Dequeue(ref parcel, tooLong.Token);
        Assert.True(parcel!.Producer == 1 && parcel.Number == 0 && parcel.IsIntact());
        peer.WaitForDeath();
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPacked), nameof(ProtocolStep.RepairTurnTaken), 1)]
    [InlineData(nameof(ProtocolStep.AppendPublished), nameof(ProtocolStep.RepairTurnTaken), 1)]
    [InlineData(nameof(ProtocolStep.AppendPublished), nameof(ProtocolStep.RepairTailMoved), 1)]
    [InlineData(nameof(ProtocolStep.RollPadPublished), nameof(ProtocolStep.RepairTurnTaken), 1)]
    [InlineData(nameof(ProtocolStep.RollPadPublished), nameof(ProtocolStep.RepairTailMoved), 1)]
    public void A_repairer_killed_at_any_step_is_repaired(string firstDeath, string secondDeath, int time)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer first = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(firstDeath), 1, "produce", "producer=1", "size=1500");
        first.WaitForDeath();
        using Peer second = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(secondDeath), time, "produce", "producer=2", "size=1500");
        second.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(first.LogPath).ReadLog(second.LogPath);
        survivor.History.KilledProducer(1, 1);
        EndWell(site, survivor, turnHeld: true);
    }

    // The tail is walked through a batch record by record: the repairer dies behind each.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(Batch + 1)]
    public void A_repairer_killed_in_the_middle_of_a_batch_is_repaired(int time)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer first = Peer.StartToDie(site, ProtocolStep.AppendPublished, 5, "batch", "producer=1", "size=1500", $"batch={Batch}");
        first.WaitForDeath();
        using Peer second = Peer.StartToDie(site, ProtocolStep.RepairTailMoved, time, "produce", "producer=2");
        second.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(first.LogPath).ReadLog(second.LogPath);
        survivor.History.KilledProducer(1, Batch);
        survivor.History.Batches(1, Batch);
        EndWell(site, survivor, turnHeld: true);
    }

    // 40 messages of up to 6 KB over segments of 64 KiB: the batch lies in three segments.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendTurnTaken))]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten))]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.AppendTailMoved))]
    [InlineData(nameof(ProtocolStep.AppendTurnPassed))]
    [InlineData(nameof(ProtocolStep.SegmentAnnounced))]
    public void A_batch_over_segments_arrives_whole_or_not_at_all_when_its_producer_is_killed(string stepName)
    {
        const int Large = 40;
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer peer = Peer.StartToDie(
            site, Enum.Parse<ProtocolStep>(stepName), 3, "batch", "producer=1", "size=3000", $"batch={Large}");
        peer.WaitForDeath();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, Large);
        survivor.History.Batches(1, Large);
        EndWell(site, survivor, HoldsTurn(Enum.Parse<ProtocolStep>(stepName)));
    }

    // Consumers are then ahead of the tail: what is enqueued next must not come to stand behind them.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished), "produce")]
    [InlineData(nameof(ProtocolStep.AppendPublished), "batch")]
    [InlineData(nameof(ProtocolStep.RollPadPublished), "produce")]
    public void What_a_dead_producer_published_may_be_consumed_before_its_turn_is_repaired(string stepName, string command)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer peer = Peer.StartToDie(site, Enum.Parse<ProtocolStep>(stepName), 1, command, "producer=1", "size=1500", $"batch={Batch}");
        peer.WaitForDeath();
        survivor.Drain();
        survivor.GoOn();
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1, Batch);
        EndWell(site, survivor, turnHeld: true);
        survivor.AssertNotHeldBack();
    }

    // The dead one's records are whole, but were never announced: they stand behind whatever is enqueued next in their place.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void What_a_dead_producer_left_behind_the_next_messages_is_not_read(int count)
    {
        using var site = new Site(inMemory: true);
        using Survivor survivor = new Survivor(site).WarmUp();
        using Peer peer = Peer.StartToDie(site, ProtocolStep.AppendBatchWritten, 1, "batch", "producer=1", "size=1500", $"batch={Batch}");
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

    private void EndWell(Site site, Survivor survivor, bool turnHeld)
    {
        for (int i = 0; i < 100; i++)
        {
            survivor.Enqueue();
        }
        survivor.Drain();
        survivor.AssertNoFaults();
        survivor.Report(output);
        if (turnHeld)
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

    /// <summary>Whether a process that dies at this step holds the turn to append.</summary>
    internal static bool HoldsTurn(ProtocolStep step) => step is ProtocolStep.AppendTurnTaken or ProtocolStep.AppendPacked
        or ProtocolStep.AppendNextSealed or ProtocolStep.AppendBatchWritten or ProtocolStep.AppendPublished
        or ProtocolStep.AppendTailMoved or ProtocolStep.RollPadPublished or ProtocolStep.RollTailMoved;

    /// <summary>Whether a process at work on a queue comes to this step, without another's death or the machine's.</summary>
    public static bool IsReachedByWork(string step) => !step.StartsWith("Repair", StringComparison.Ordinal)
        && !step.StartsWith("Store", StringComparison.Ordinal) && !step.StartsWith("Subscription", StringComparison.Ordinal) && !step.StartsWith("LeaseBur", StringComparison.Ordinal)
        && !step.StartsWith("Recovery", StringComparison.Ordinal);

    /// <summary>Who works on a queue reaches every step, but segments are only deleted where more are passed than are needed anew.</summary>
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
