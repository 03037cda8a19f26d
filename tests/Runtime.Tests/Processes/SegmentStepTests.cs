using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Processes that are stopped or killed while they make, recycle or delete a segment: nobody waits for them, and nothing of theirs is left.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class SegmentStepTests(ITestOutputHelper output)
{
    private static readonly QueueOptions Small = new()
    {
        SegmentSize = 1 << 16,
        UseChecksums = true,
        StallTimeout = TimeSpan.FromSeconds(1),
    };

    public static TheoryData<string> Steps
        => new(Enum.GetNames<ProtocolStep>().Where(static name => name.StartsWith("Segment", StringComparison.Ordinal)));

    [Theory]
    [MemberData(nameof(Steps))]
    public void A_process_stopped_at_a_segments_step_blocks_nobody(string stepName)
    {
        for (int attempt = 0; !TryStopAt(Enum.Parse<ProtocolStep>(stepName)); attempt++)
        {
            Assert.True(attempt < 20, "At each attempt the process was stopped inside of an append.");
        }
    }

    // Segments are made and deleted by another thread than the one that appends: false where that happened to have the append lock.
    private static bool TryStopAt(ProtocolStep step)
    {
        using var site = new Site();
        using Survivor survivor = new Survivor(site, Small).WarmUp();
        string command = KillAtStepTests.CommandThatReaches(step, survivor);
        using Peer stopped = Peer.StartToStop(site, step, 1, command, "producer=1", "count=300", "size=1500").WaitForStop();
        if (survivor.Queue.Store.Control.AppendHolder<MachineMemory>() != 0)
        {
            return false;
        }
        // As many segments as make the one of the stopped process an old one that was given up.
        GoRound(survivor, 20);
        survivor.AssertNotDelayed();
        AssertGoesOn(survivor);
        // That of which the stopped process has just got hold.
        Assert.InRange(GivenUp(site, survivor, atMost: 1).Length, 0, 1);
        stopped.Continue();
        stopped.Finish();
        GoRound(survivor, 20);
        survivor.History.ReadLog(stopped.LogPath);
        survivor.AssertNoFaults();
        AssertNothingLeft(site, survivor);
        return true;
    }

    [Theory]
    [MemberData(nameof(Steps))]
    public void A_process_killed_at_a_segments_step_leaves_nothing_for_good(string stepName)
    {
        ProtocolStep step = Enum.Parse<ProtocolStep>(stepName);
        using var site = new Site();
        using Survivor survivor = new Survivor(site, Small).WarmUp();
        string command = KillAtStepTests.CommandThatReaches(step, survivor);
        using var dead = Peer.StartToDie(site, step, 1, command, "producer=1", "count=300", "size=1500", "batch=3");
        dead.WaitForDeath();
        survivor.History.ReadLog(dead.LogPath);
        survivor.History.KilledProducer(1, 1, 3);
        survivor.History.KilledConsumer(dead.LogPath);
        // It was another thread that came to the step: the first one may have taken and consumed a message, and died before it said so.
        survivor.History.MayLack = 1;
        GoRound(survivor, 20);
        survivor.AssertNoFaults();
        AssertNothingLeft(site, survivor);
    }

    // More processes than processors, and a segment for every forty messages: a holder of the append lock is preempted as often as not.
    [Fact]
    public void Nobody_is_called_stalled_where_everybody_runs()
    {
        using var site = new Site(inMemory: true);
        using var survivor = new Survivor(site, Small);
        Peer[] peers = [.. Enumerable.Range(1, 8)
            .Select(number => Peer.Start(site, "try", $"producer={number}", "count=1500", "size=1000"))];
        try
        {
            while (!peers.All(static peer => peer.HasExited))
            {
                survivor.Drain();
            }
            foreach (Peer peer in peers)
            {
                Assert.True(peer.WaitForExit() == 0, peer.Said);
                output.WriteLine(peer.Output);
                survivor.History.ReadLog(peer.LogPath);
            }
        }
        finally
        {
            Array.ForEach(peers, static peer => peer.Dispose());
        }
        survivor.Drain();
        survivor.AssertNoFaults();
        AssertNothingLeft(site, survivor);
    }

    private static void GoRound(Survivor survivor, int segments)
    {
        for (int i = 0; i < segments; i++)
        {
            for (int number = 0; number < 300; number++)
            {
                survivor.Enqueue();
            }
            survivor.Drain();
        }
    }

    // Never waits, and is not told that anybody is stalled.
    private static void AssertGoesOn(Survivor survivor)
    {
        for (int number = 0; number < 300; number++)
        {
            survivor.TryEnqueue();
        }
        survivor.Drain();
    }

    private static void AssertNothingLeft(Site site, Survivor survivor)
    {
        MappedQueue<Parcel>.Open(site.Queue, Small).Dispose();
        Assert.Empty(GivenUp(site, survivor, atMost: 0));
        // A living handle that made a segment which another had made, too, keeps its file for the next one.
        long owner = survivor.Queue.Store.Self.OwnerWord;
        Assert.DoesNotContain(site.Files(), name => IsUnfinished(name) && StoreFormat.OwnerOfUnfinished(name) != owner);
        survivor.Dispose();
        // Where the machine is busy a thread of the handle is through a moment later.
        Assert.True(SpinWait.SpinUntil(() => !site.Files().Any(IsUnfinished), Peer.Patience), "An unfinished file is left for good.");
    }

    private static bool IsUnfinished(string name) => name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal);

    // Segments that are off the list, as soon as they are so few.
    private static string[] GivenUp(Site site, Survivor survivor, int atMost)
    {
        string[] left = [];
        long kept = survivor.Queue.Store.Retention.FirstRetainedPosition & -Small.SegmentSize!.Value;
        SpinWait.SpinUntil(
            () => (left = [.. site.Files().Where(name => StoreFormat.TryParseSegment(name, out long start)
                && start < kept)]).Length <= atMost,
            TimeSpan.FromSeconds(2));
        return left;
    }
}
