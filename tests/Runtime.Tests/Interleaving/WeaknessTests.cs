using BlitQueue.Explorer;
using BlitQueue.Log;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Interleaving;

/// <summary>
/// Broken variants of the protocol: the explorer must find what comes of each, and the schedule that it gives must show it again.
/// </summary>
public sealed class WeaknessTests(ITestOutputHelper output)
{
    [Fact]
    public void A_record_is_published_without_release() =>
        Finds(new UnorderedAccess(AccessKind.Store, "log"), "append", MemoryMode.Views, "check does not fit");

    [Fact]
    public void A_record_is_read_without_acquire() =>
        Finds(new UnorderedAccess(AccessKind.Load, "log"), "append", MemoryMode.Views, "check does not fit");

    [Fact]
    public void Without_checks_what_is_read_too_early_is_no_message() =>
        Finds(new UnorderedAccess(AccessKind.Store, "log"), "append-unchecked", MemoryMode.Views, "is no message");

    [Fact]
    public void A_batch_in_place_is_announced_without_release() =>
        Finds(new UnorderedAccess(AccessKind.Store, "log"), "fixed-batch", MemoryMode.Views, "check does not fit");

    [Fact]
    public void The_append_lock_is_freed_without_release() =>
        Finds(
            new UnorderedAccess(AccessKind.Store, "append lock"), "append", MemoryMode.Views,
            "nothing stands there, though the log goes on");

    [Fact]
    public void Who_revokes_the_bias_has_no_fence() =>
        Finds(
            new LeftOut(AccessKind.SleeperFence), "bias", MemoryMode.StoreBuffers, "message 2 was acknowledged and is not in the log");

    [Fact]
    public void Who_has_the_bias_leaves_without_release() =>
        Finds(
            new UnorderedAccess(AccessKind.Store, "inside 0"), "bias", MemoryMode.Views,
            "message 2 was acknowledged and is not in the log");

    [Fact]
    public void Who_revokes_the_bias_does_not_look_whether_its_thread_is_inside() =>
        Finds(
            new Pretended("outside", static (access, word) => access is { Kind: AccessKind.Load } && word == "inside 0" ? 0 : null),
            "bias", MemoryMode.Sequential, "message 2 was acknowledged and is not in the log");

    [Fact]
    public void A_record_is_published_before_its_payload() =>
        Finds(new LateWrite(AccessKind.Write, "log", "log"), "append", MemoryMode.Sequential, "check does not fit");

    [Fact]
    public void The_tail_is_moved_before_the_record_is_published() =>
        Finds(
            new LateWrite(AccessKind.Store, "log", "tail"), "kill-append", MemoryMode.Sequential,
            "nothing stands there, though the log goes on");

    [Fact]
    public void The_append_lock_is_freed_before_the_tail_is_moved() =>
        Finds(
            new LateWrite(AccessKind.Store, "tail", "append lock"), "append", MemoryMode.Sequential,
            "was acknowledged and is not in the log");

    [Fact]
    public void The_header_behind_a_record_is_not_zeroed() =>
        Finds(new LeftOut(AccessKind.Write, "log", 0), "append-unchecked", MemoryMode.Sequential, "is no message");

    [Fact]
    public void A_turn_is_taken_over_without_proof_of_death() =>
        Finds(Pretended.EverybodyIsDead, "stop-append", MemoryMode.Sequential, "took \"append lock\" from first, which lives");

    [Fact]
    public void What_the_dead_had_published_is_not_repaired() =>
        Finds(
            new Pretended(
                "no repair",
                static (access, word)
                    => access is { Kind: AccessKind.Load, Word: >= 0 } && word.StartsWith("log", StringComparison.Ordinal) ? 0 : null),
            "kill-repairer", MemoryMode.Sequential, "check that does not fit");

    [Theory]
    [InlineData(nameof(MemoryMode.StoreBuffers))]
    [InlineData(nameof(MemoryMode.Views))]
    public void Who_wakes_has_no_fence(string mode)
        => Finds(new LeftOut(AccessKind.WakerFence), "append-full-fences", Enum.Parse<MemoryMode>(mode), "a wake-up was lost");

    [Theory]
    [InlineData(nameof(MemoryMode.StoreBuffers))]
    [InlineData(nameof(MemoryMode.Views))]
    public void Who_sleeps_has_no_fence(string mode)
        => Finds(new LeftOut(AccessKind.SleeperFence), "append", Enum.Parse<MemoryMode>(mode), "a wake-up was lost");

    [Fact]
    public void Who_sleeps_leaves_no_mark()
        => Finds(
            new Pretended("no mark", static (access, word) => LeavesMark(access, word) ? access.Expected : null), "append",
            MemoryMode.Sequential, "a wake-up was lost");

    [Theory]
    [InlineData(nameof(MemoryMode.StoreBuffers))]
    [InlineData(nameof(MemoryMode.Views))]
    public void Where_sleepers_have_no_heavy_fence_who_wakes_has_none_either(string mode)
        => Finds(new LeftOut(AccessKind.Fence) { Of = "second" }, "append", Enum.Parse<MemoryMode>(mode), "a wake-up was lost");

    [Theory]
    [InlineData(nameof(MemoryMode.StoreBuffers))]
    [InlineData(nameof(MemoryMode.Views))]
    public void A_mark_says_that_there_was_a_heavy_fence_before_there_is_one(string mode)
        => Finds(
            new Altered(
                "fenced at once",
                static (access, word) => LeavesMark(access, word) ? access with { Value = access.Value | 2 } : access),
            "append-two-asleep", Enum.Parse<MemoryMode>(mode), "a wake-up was lost");

    // The lowest bit of the word says that somebody sleeps.
    private static bool LeavesMark(in Access access, string word) => access.Kind == AccessKind.Exchange && word == "data sleepers"
        && (access.Value & ~access.Expected & 1) != 0;

    [Fact]
    public void Nobody_is_woken() => Finds(new LeftOut(AccessKind.Wake), "append", MemoryMode.Sequential, "a wake-up was lost");

    [Theory]
    [InlineData(nameof(MemoryMode.StoreBuffers))]
    [InlineData(nameof(MemoryMode.Views))]
    public void Who_sleeps_on_two_words_has_no_fence(string mode)
        => Finds(new LeftOut(AccessKind.SleeperFence), "two-words", Enum.Parse<MemoryMode>(mode), "a wake-up was lost");

    [Theory]
    [InlineData("two-words")]
    [InlineData("call-hint")]
    public void Nobody_is_woken_where_all_come_to_their_end(string scenario)
        => Finds(new LeftOut(AccessKind.Wake), scenario, MemoryMode.Sequential, "a wake-up was lost");

    [Fact]
    public void The_append_lock_is_not_released()
        => Finds(new LeftOut(AccessKind.Store, "append lock"), "append", MemoryMode.Sequential, "waits for ever");

    [Fact]
    public void A_claim_of_the_dead_is_not_confirmed() =>
        Finds(
            new Pretended(
                "no help",
                static (access, word) => access.Kind == AccessKind.Exchange && word.EndsWith(".message", StringComparison.Ordinal)
            && (access.Expected & 7) == 1 ? access.Expected : null)
            { Of = "other" }, "kill-lease", MemoryMode.Sequential, "");

    [Fact]
    public void A_message_is_consumed_by_a_plain_write() =>
        Finds(
            new Pretended(
                "always the first", static (access, word) => access.Kind == AccessKind.Exchange && word == "next" ? access.Expected : null),
            "compete", MemoryMode.Sequential, "was consumed twice");

    [Fact]
    public void A_lease_is_committed_by_a_plain_write() =>
        Finds(
            new PlainExchange(".message", LeaseState.Leased, LeaseState.None), "time-out-two", MemoryMode.Sequential, "was consumed twice");

    [Fact]
    public void A_message_is_taken_over_by_a_plain_write() =>
        Finds(new PlainExchange(".message", LeaseState.Returned, LeaseState.Leased), "time-out-abandon", MemoryMode.Sequential, "");

    [Fact]
    public void An_overdue_lease_is_ended_by_a_plain_write() =>
        Finds(new PlainExchange(".message", LeaseState.Leased, LeaseState.Returned), "time-out-two", MemoryMode.Sequential, "");

    [Fact]
    public void A_lease_is_marked_for_a_transaction_by_a_plain_write() =>
        Finds(new PlainExchange(".message", LeaseState.Leased, LeaseState.Committing), "time-out-transaction", MemoryMode.Sequential, "");

    [Fact]
    public void A_letter_is_not_marked_before_it_becomes_a_message() =>
        Finds(
            new Pretended(
                "no mark",
                static (access, word) => access.Kind == AccessKind.Exchange && word.EndsWith(".message", StringComparison.Ordinal)
            && (access.Value & 7) == (long)LeaseState.Requeueing ? access.Expected : null),
            "requeue", MemoryMode.Sequential, "message 0 was consumed and will be delivered again");

    [Fact]
    public void An_owner_takes_a_cell_by_a_plain_write() =>
        Finds(new PlainExchange(".owner"), "time-out-abandon", MemoryMode.Sequential, "");

    [Fact]
    public void Leases_are_in_the_same_cells_after_a_seek() =>
        Finds(
            new Pretended(
                "no seek is counted",
                static (access, word) => access.Kind == AccessKind.Exchange && word == "settled" ? access.Expected : null),
            "seek-dequeue", MemoryMode.Sequential, "message 0 is passed, and was consumed by nobody");

    [Fact]
    public void Who_seeks_does_not_confirm_a_claim() =>
        Finds(
            new Pretended(
                "no help",
                static (access, word) => access.Kind == AccessKind.Exchange && word.EndsWith(".message", StringComparison.Ordinal)
            && (access.Expected & 7) == (long)LeaseState.Claiming ? access.Expected : null)
            { Of = "seeker" },
            "seek-leased", MemoryMode.Sequential, "message 0 is passed, and was consumed by nobody");

    [Theory]
    [InlineData("segment-late", "a segment that was given up has a name again")]
    [InlineData("segment-seek", "the subscription is where everything was given up")]
    public void Who_holds_segments_does_not_count_it(string scenario, string what) =>
        Finds(new Pretended("not counted", static (access, word) => access.Kind == AccessKind.Exchange && word == "first retained"
            && access.Value - access.Expected == ControlFormat.OneHold ? access.Expected : null), scenario, MemoryMode.Sequential, what);

    [Theory]
    [InlineData("segment-naming", "a segment that was given up has a name again")]
    [InlineData("segment-seek", "the subscription is where everything was given up")]
    public void Nobody_holds_segments(string scenario, string what) =>
        Finds(new LeftOut(AccessKind.Store, "hold"), scenario, MemoryMode.Sequential, what);

    [Fact]
    public void Segments_are_given_up_by_a_plain_write()
        => Finds(new PlainExchange("first retained"), "segment-both", MemoryMode.Sequential, "");

    [Fact]
    public void A_lease_is_given_back_by_a_plain_write() =>
        Finds(new PlainExchange(".message", LeaseState.Leased, LeaseState.Returned), "time-out-abandon", MemoryMode.Sequential, "");

    [Fact]
    public void Who_gives_a_message_back_wakes_nobody() =>
        Finds(new LeftOut(AccessKind.Wake), "abandon-asleep", MemoryMode.Sequential, "a wake-up was lost");

    [Fact]
    public void Who_announces_a_sync_wakes_nobody() =>
        Finds(
            new Pretended(
                "nobody has asked", static (access, word) => access.Kind == AccessKind.Load && word == "durable asked" ? 0 : null),
            "durable", MemoryMode.Sequential, "a wake-up was lost");

    [Theory]
    [InlineData(nameof(AccessKind.ReadFence))]
    [InlineData(nameof(AccessKind.WriteFence))]
    public void A_shared_value_is_read_or_written_without_its_fence(string fence) => Finds(
        new LeftOut(Enum.Parse<AccessKind>(fence)), "value", MemoryMode.Views, "was read");

    [Fact]
    public void A_shared_value_is_published_without_release() => Finds(
        new UnorderedAccess(AccessKind.Store, "value version"), "value", MemoryMode.Views, "");

    [Fact]
    public void A_shared_value_is_published_before_it_is_written() => Finds(
        new LateWrite(AccessKind.Write, "value 3", "value version"), "value", MemoryMode.Sequential, "two writes have written parts");

    [Fact]
    public void Writers_of_a_shared_value_do_not_wait_for_each_other() => Finds(
        new PlainExchange("append lock"), "value-update", MemoryMode.Sequential, "");

    [Fact]
    public void A_shared_reader_is_not_counted() => Finds(
        new LeftOut(AccessKind.Increment, "readers"), "shared-lock", MemoryMode.Sequential, "");

    [Fact]
    public void A_shared_lock_is_released_without_release() => Finds(
        new UnorderedAccess(AccessKind.Store, "append lock"), "shared-lock", MemoryMode.Views, "do not fit together");

    [Fact]
    public void Nothing_says_that_a_shared_writer_died() => Finds(
        new LeftOut(AccessKind.Store, "abandoned"), "kill-shared-writer", MemoryMode.Sequential, "nothing says why");

    [Fact]
    public void A_shared_lock_is_taken_over_without_proof_of_death() => Finds(
        Pretended.EverybodyIsDead, "stop-value", MemoryMode.Sequential, "which lives");

    [Fact]
    public void Two_servers_take_one_call() => Finds(
        new PlainExchange("value 0"), "call", MemoryMode.Sequential, "");

    [Fact]
    public void A_call_is_queued_without_a_fence_in_front_of_its_hints() => Finds(
        new PlainExchange("value 0"), "call-hint", MemoryMode.StoreBuffers, "was not woken");

    [Fact]
    public void A_call_is_lost_without_proof_of_death() => Finds(Pretended.EverybodyIsDead, "give-up-call", MemoryMode.Sequential, "");

    private void Finds(Weakness weakness, string name, MemoryMode mode, string what)
    {
        Scenario scenario = Catalogue.Find(name).Open(weakness);
        using QueueBench bench = scenario.Bench;
        Finding? finding = Explorer.Explorer.FindSimplest(scenario, mode, mostPreemptions: 2, mostStates: 200_000);
        Assert.NotNull(finding);
        output.WriteLine($"{weakness.Description}: {finding.What}");
        Assert.Contains(what, finding.What);
        Assert.Equal(finding.What, Replay.Run(scenario, mode, finding.Schedule, out string story));
        output.WriteLine(story);
        Assert.Equal(finding.Moves.Count, story.Count(static character => character == '\n'));
    }
}
