namespace BlitQueue.Explorer;

/// <summary>
/// The scenarios that are explored: small, because most faults of such protocols show with two or three
/// processes and an operation or two each.
/// </summary>
internal static class Catalogue
{
    // So many bytes before the segment's end that a record with its header fits once, and then the log goes to the next one.
    private const int OneRecordLeft = (60 * 1024) - 24 - 16;

    /// <summary>Those that are gone through.</summary>
    public static IReadOnlyList<CatalogueEntry> Small { get; } =
    [
        new("append", 3, bench => new("", bench, [Writer("first", 0), Writer("second", 16), Reader(2)]) { GivesUpFences = true }),
        new("append-twice", 3, bench => new("", bench, [Writer("first", 0, 1), Writer("second", 16), Reader(3)]) { GivesUpFences = true }),
        new("append-two-asleep", 3, bench => new("", bench, [Writer("first", 0), new("leaving", [Steps.MarkAndLeave]), Reader(1)])),
        new("append-some-fences", 3, bench => new("", bench,
            [Writer("first", 0), new("leaving", [Steps.MarkAndLeave]) { HasHeavyFence = false }, Reader(1)])),
        new("append-fences-again", 4, bench => new("", bench,
            [Writer("first", 0), Writer("second", 16), new("leaving", [Steps.MarkAndLeave]), Reader(2)]) { GivesUpFences = true })
        { LongBound = 2 },
        new("two-words", 3, bench => new("", bench,
            [Writer("first", 0), new("speaker", [Steps.Say]), new("both", [Steps.ConsumeAndListen])])
            { AllEnd = true, GivesUpFences = true }) { LongBound = 2 },
        new("two-words-asleep", 4, bench => new("", bench,
            [Writer("first", 0), new("speaker", [Steps.Say]), new("leaving", [Steps.MarkAndLeave]),
                new("both", [Steps.ConsumeAndListen])]) { AllEnd = true }) { LongBound = 2 },
        new("append-full-fences", 3, bench => new("", bench, [Writer("first", 0), Writer("second", 16), Reader(2)])
        { WakersPay = true, GivesUpFences = true }),
        new("append-unchecked", 3, bench => new("", bench, [Writer("first", 0), Writer("second", 16), Reader(2)])) { Checksum = false },
        new("batch", 3, bench => new("", bench, [new("batch", [Steps.AppendTogether(0, 1)]), Writer("second", 16), Reader(3)])),
        new(
            "roll", 3,
            bench => new(
                "", bench,
                [new("staged", [Steps.AppendTogether(0), Steps.AppendTogether(1)]), new("second", [Steps.AppendTogether(16)]), Reader(3)]))
        { Start = OneRecordLeft, LongBound = 2 },
        new("kill-append", 3, bench => new("", bench, [Mortal("first", Steps.Append(0)), Writer("repairer", 16), Reader(2)]) { Kills = 1 }),
        new("kill-repairer", 3, bench => new("", bench,
            [Mortal("first", Steps.Append(0)), Mortal("repairer", Steps.Append(16)),
                Writer("second", 32)]) { Kills = 2 }) { LongBound = 2 },
        new("kill-batch", 2, bench => new("", bench, [Mortal("batch", Steps.AppendTogether(0, 1)), Writer("repairer", 16)]) { Kills = 1 }),
        new("kill-roll", 2, bench => new("", bench,
            [Mortal("staged", Steps.AppendTogether(0), Steps.AppendTogether(1)),
                new("repairer", [Steps.AppendTogether(16)])]) { Kills = 1 })
        { Start = OneRecordLeft },
        new("stop-append", 3, bench => new("", bench, [Mortal("first", Steps.Append(0)), Writer("second", 16), Reader(2)]) { Stops = 1 }),
        new(
            "stop-impatient", 2,
            bench => new("", bench, [Mortal("first", Steps.Append(0)), new("impatient", [Steps.AppendImpatiently(16)])]) { Stops = 1 }),
        new(
            "kill-reader", 3,
            bench => new("", bench, [Writer("first", 0, 1), Mortal("mortal", Steps.Consume(1)), new("reader", [Steps.TryConsume(2)])])
            {
                Kills = 1,
            }),
        new("durable", 3, bench => new("", bench,
            [new("first", [Steps.AppendDurably(0)]), new("second", [Steps.AppendDurably(16)]), new("reader", [Steps.ConsumeDurable(2)])])),
        new(
            "compete", 3,
            bench => new("", bench, [Writer("first", 0), new("one", [Steps.TryConsume(2)]), new("other", [Steps.TryConsume(2)])])),
        new("fixed", 3, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1)]), new("second", [Steps.AppendFixed(16)]), new("reader", [Steps.TryConsumeFixed(3)])])),
        new("fixed-kill", 3, bench => new("", bench,
            [Mortal("first", Steps.AppendFixed(0, 1)), new("repairer", [Steps.AppendFixed(16)]),
                new("reader", [Steps.TryConsumeFixed(2)])]) { Kills = 1 }),
        // The third message is appended by the bias, which the other process revokes.
        new("bias", 2, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1, 2)]), new("second", [Steps.AppendFixed(16)])]) { Biases = true }),
        new("bias-two", 3, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1, 2)]), new("second", [Steps.AppendFixed(16)]), new("third", [Steps.Append(32)])])
            { Biases = true }) { ShortBound = 1, LongBound = 2 },
        new("bias-again", 2, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1, 2, 3, 4)]), new("second", [Steps.AppendFixed(16, 17)])]) { Biases = true })
        { ShortBound = 1, LongBound = 2 },
        new("kill-bias", 3, bench => new("", bench,
            [Mortal("first", Steps.AppendFixed(0, 1, 2)), new("second", [Steps.AppendFixed(16)]),
                new("reader", [Steps.TryConsumeFixed(2)])]) { Biases = true, Kills = 1 }) { ShortBound = 1, LongBound = 2 },
        new("kill-bias-revoker", 3, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1, 2)]), Mortal("second", Steps.AppendFixed(16)),
                new("third", [Steps.AppendFixed(32)])]) { Biases = true, Kills = 1 }) { ShortBound = 1, LongBound = 2 },
        new("stop-bias", 3, bench => new("", bench,
            [Mortal("first", Steps.AppendFixed(0, 1, 2)), new("second", [Steps.AppendFixed(16)]),
                new("reader", [Steps.TryConsumeFixed(2)])]) { Biases = true, Stops = 1 }) { ShortBound = 1, LongBound = 2 },
        new("stop-bias-revoker", 3, bench => new("", bench,
            [new("first", [Steps.AppendFixed(0, 1, 2)]), Mortal("second", Steps.AppendFixed(16)),
                new("third", [Steps.AppendFixed(32)])]) { Biases = true, Stops = 1 }) { ShortBound = 0, LongBound = 1 },
        new("fixed-compete", 3, bench => new("", bench,
            [Writer("first", 0, 1), new("one", [Steps.TryConsumeFixed(2)]), new("other", [Steps.LeaseAndCommit(1)])])),
        new("fixed-batch", 3, bench => new("", bench,
            [new("batch", [Steps.AppendFixedTogether(0, 1, 2)]), new("second", [Steps.AppendFixed(16)]),
                new("reader", [Steps.TryConsume(4)])])) { LongBound = 2 },
        new("kill-fixed-batch", 2, bench => new("", bench,
            [Mortal("batch", Steps.AppendFixedTogether(0, 1, 2)), new("repairer", [Steps.AppendFixed(16)])]) { Kills = 1 }),
        new(
            "lease", 3,
            bench => new("", bench, [Writer("first", 0), new("one", [Steps.LeaseAndCommit(1)]), new("other", [Steps.TryConsume(1)])])),
        new(
            "lease-compete", 3,
            bench => new("", bench, [Writer("first", 0), new("one", [Steps.LeaseAndCommit(1)]), new("other", [Steps.LeaseAndCommit(1)])])),
        new("lease-abandon", 3, bench => new("", bench,
            [Writer("first", 0), new("one", [Steps.LeaseAndAbandon(1)]),
                new("other", [Steps.LeaseAndCommit(1), Steps.LeaseAndCommit(1)])])) { LongBound = 2 },
        new("kill-lease", 3, bench => new("", bench,
            [Writer("first", 0), Mortal("mortal", Steps.LeaseAndCommit(1)),
                new("other", [Steps.LeaseAndCommit(1), Steps.LeaseAndCommit(1)])]) { Kills = 1 }) { LongBound = 2 },
        new("stop-lease", 3, bench => new("", bench,
            [Writer("first", 0), Mortal("mortal", Steps.LeaseAndCommit(1)),
                new("other", [Steps.LeaseAndCommit(1), Steps.LeaseAndCommit(1)])]) { Stops = 1 }) { LongBound = 2 },
        new("lease-cell", 3, bench => new("", bench,
            [Mortal("x1", Steps.TakeAndCommit(1)), new("one", [Steps.TakeAndCommit(1)]),
                new("other", [Steps.TakeAndCommit(1)])]) { Kills = 1 })
        { Messages = 2, ShortBound = 1, LongBound = 2 },
        // Two handles with two threads each.
        new("time-out", 5, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndCommit(1)), Thread("x2", 0, Steps.TakeAndCommit(1)) with { TwinOf = 0 },
            Thread("a1", null, Steps.TakeAndCommit(1)), Thread("a2", 2, Steps.TakeAndCommit(1)) with { TwinOf = 2 }))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("time-out-same", 3, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndCommit(1)), Thread("x2", 0, Steps.TakeAndCommit(1)) with { TwinOf = 0 }))
        { Messages = 1, LongBound = 3 },
        new(
            "time-out-two", 3,
            bench => Timed(bench, Thread("x1", null, Steps.TakeAndCommit(2)), Thread("a1", null, Steps.TakeAndCommit(2))))
        { Messages = 2, ShortBound = 0, LongBound = 2 },
        new("time-out-transaction", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndTransact),
            Thread("a1", null, Steps.TakeAndCommit(1)), Thread("a2", 1, Steps.TakeAndCommit(1)) with { TwinOf = 1 }))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "time-out-taker", 3,
            bench => Timed(bench, Thread("x1", null, Steps.TakeAndCommit(1)), Thread("a1", null, Steps.TakeAndTransact)))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("time-out-completers", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndTransact), Thread("a1", null, Steps.CompleteAndCommit(0)),
            Thread("b1", null, Steps.CompleteAndCommit(0))))
        { Messages = 2, ShortBound = 0, LongBound = 2 },
        new(
            "time-out-roll-back", 3,
            bench => Timed(bench, Thread("x1", null, Steps.TakeAndRollBack), Thread("a1", null, Steps.TakeAndCommit(1))))
        { Messages = 1, LongBound = 2 },
        new("time-out-abandon", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndAbandon), Thread("a1", null, Steps.TakeAndCommit(1)), Thread("a2", 1, Steps.TakeAndAbandon)))
        { Messages = 1, ShortBound = 0, LongBound = 2 },
        new("time-out-explain", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndExplain), Thread("a1", null, Steps.TakeAndCommit(1)), Thread("a2", 1, Steps.TakeAndExplain)))
        { Messages = 1, ShortBound = 0, LongBound = 2 },
        new("time-out-renew", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndLeave), Thread("x2", 0, Steps.RenewTaken), Thread("a1", null, Steps.TakeAndCommit(1))))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "kill-explain", 3,
            bench => new("", bench, [Mortal("x1", Steps.TakeAndExplain), new("a1", [Steps.TakeAndCommit(1)])]) { Kills = 1 })
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("time-out-give-back", 4, bench => Timed(bench,
            Thread("x1", null, Steps.TakeAndLeave), Thread("x2", 0, Steps.GiveBackTaken), Thread("a1", null, Steps.TakeAndCommit(1))))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "abandon-asleep", 2,
            bench => new("", bench, [Mortal("x1", Steps.TakeAndAbandon), new("sleeper", [Steps.SleepAndTake])]) { Kills = 1 })
        { Messages = 1, ShortBound = 1, LongBound = 3 },
        new("abandon-asleep-twice", 3, bench => new("", bench,
            [Mortal("x1", Steps.TakeAndAbandon), Mortal("x2", Steps.TakeAndAbandon), new("sleeper", [Steps.SleepAndTake])]) { Kills = 1 })
        { Messages = 1, ShortBound = 0, LongBound = 2 },
        // Letters become messages again.
        new("requeue", 3, bench => OfLetters(bench, Thread("x1", null, Steps.TakeAndRequeue), Thread("a1", null, Steps.TakeAndCommit(1))))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "requeue-both", 3,
            bench => OfLetters(bench, Thread("x1", null, Steps.TakeAndRequeue), Thread("x2", null, Steps.TakeAndRequeue)))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "requeue-time-out", 3,
            bench => OfLetters(bench, Thread("x1", null, Steps.TakeAndRequeue), Thread("a1", null, Steps.TakeAndCommit(1))) with
            {
                Ticks = 1,
            })
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        // Somebody goes back to the oldest message.
        new("seek-claim", 3, bench => SoughtBack(bench, Mortal("x1", Steps.CommitSeekAndCommit), new("a1", [Steps.TakeAndCommit(1)])))
        { Messages = 2, ShortBound = 1, LongBound = 2 },
        new("seek-dequeue", 3, bench => SoughtBack(bench, Mortal("x1", Steps.CommitSeekAndCommit), new("a1", [Steps.TryConsume(1)])))
        { Messages = 2, ShortBound = 2, LongBound = 2 },
        new("seek-leased", 4, bench => SoughtBack(bench,
            Mortal("x1", Steps.TakeAndCommit(1)), new("seeker", [Steps.SeekAndCommit(0)]), new("a1", [Steps.TakeAndCommit(1)])))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("seek-holding", 3, bench => SoughtBack(bench, Mortal("x1", Steps.TakeSeekAndCommit(1)), new("a1", [Steps.TakeAndCommit(1)])))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new(
            "seek-time-out", 3,
            bench => SoughtBack(bench, Mortal("x1", Steps.TakeAndCommit(1)), new("a1", [Steps.SeekAndCommit(1)])) with { Ticks = 1 })
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("seek-transaction", 3, bench => SoughtBack(bench, Mortal("x1", Steps.TakeAndTransact), new("a1", [Steps.SeekAndCommit(1)])))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("seek-asleep", 3, bench => SoughtBack(bench, Mortal("x1", Steps.TakeSeekAndCommit(0)), new("sleeper", [Steps.SleepAndTake])))
        { Messages = 1, ShortBound = 1, LongBound = 2 },
        new("segment-naming", 4, bench => Retained(bench,
            Mortal("x1", Steps.MakeSegment(3)), Mortal("x2", Steps.MakeSegment(3)), new("user", [Steps.UseUp(3)]))) { Retained = 2 },
        new("segment-late", 4, bench => Retained(bench,
            Mortal("x1", Steps.MakeSegment(3)), new("deleter", [Steps.GiveUpPassed]), new("user", [Steps.UseUp(3)]))) { Retained = 3 },
        new("segment-seek", 4, bench => Retained(bench,
            Mortal("x1", Steps.SeekOldest), new("user", [Steps.UseUp(3)]), new("other", [Steps.SeekOldest]))) { Retained = 2 },
        new("segment-both", 4, bench => Retained(bench,
            Mortal("x1", Steps.SeekOldest), new("one", [Steps.UseUp(3)]), new("other", [Steps.UseUp(3)]))) { Retained = 2 },
        new("value", 2, bench => Shared(bench, new("writer", [Steps.WriteShared(1, 2)]), new("reader", [Steps.ReadShared(1)]))),
        new("value-again", 3, bench => Shared(bench,
            new("first", [Steps.WriteShared(1, 2)]), new("second", [Steps.WriteShared(3)]), new("reader", [Steps.ReadShared(2)])))
        { ShortBound = 1, LongBound = 2 },
        new("kill-value", 3, bench => Shared(bench,
            Mortal("mortal", Steps.WriteShared(1, 2)), new("second", [Steps.WriteShared(3)]), new("reader", [Steps.ReadShared(1)])) with
        {
            Kills = 1,
        }) { ShortBound = 1, LongBound = 2 },
        new("stop-value", 3, bench => Shared(bench,
            Mortal("mortal", Steps.WriteShared(1)), new("second", [Steps.WriteShared(3)]), new("reader", [Steps.ReadShared(1)])) with
        {
            Stops = 1,
        }) { ShortBound = 1, LongBound = 2 },
        new("value-update", 3, bench => Shared(bench,
            new("first", [Steps.UpdateShared]), new("second", [Steps.UpdateShared]),
            new("last", [Steps.FindShared(2)]) { ComesLast = true })),
        new("shared-lock", 2, bench => Shared(bench, new("writer", [Steps.ChangeLocked]), new("reader", [Steps.ReadLocked]))),
        new("shared-lock-writers", 3, bench => Shared(bench,
            new("writer", [Steps.ChangeLocked]), new("other", [Steps.ChangeLocked]), new("reader", [Steps.ReadLocked])))
        { ShortBound = 1, LongBound = 2 },
        new("kill-shared-writer", 3, bench => Shared(bench,
            Mortal("mortal", Steps.ChangeLocked), new("other", [Steps.ChangeLocked]), new("reader", [Steps.ReadLocked])) with
        {
            Kills = 1,
        }) { ShortBound = 1, LongBound = 2 },
        new("kill-shared-reader", 3, bench => Shared(bench,
            Mortal("mortal", Steps.ReadLocked), new("writer", [Steps.ChangeLocked]), new("reader", [Steps.ReadLocked])) with
        {
            Kills = 1,
        }) { ShortBound = 1, LongBound = 2 },
        new("stop-shared-lock", 3, bench => Shared(bench,
            Mortal("mortal", Steps.ReadLocked, Steps.ChangeLocked), new("writer", [Steps.ChangeLocked])) with
        {
            Stops = 1,
        }) { ShortBound = 1, LongBound = 2 },
        new("call", 3, bench => Shared(bench,
            new("client", [Steps.Call(2)]), new("one", [Steps.AnswerCalls]), new("other", [Steps.AnswerCalls])) with
        {
            AllEnd = true,
        })
        { ShortBound = 1, LongBound = 2, LessInViews = 1 },
        new("give-up-call", 3, bench => Shared(bench,
            new("client", [Steps.CallAndGiveUp]), new("one", [Steps.AnswerCalls]), new("other", [Steps.AnswerCalls])) with
        {
            AllEnd = true,
        })
        { ShortBound = 1, LongBound = 2, LessInViews = 1 },
        new("withdraw-call", 3, bench => Shared(bench,
            new("client", [Steps.CallAndWithdraw]), new("one", [Steps.AnswerCalls]), new("other", [Steps.AnswerCalls])) with
        {
            AllEnd = true,
        })
        { ShortBound = 1, LongBound = 2 },
        new("call-task", 3, bench => Shared(bench,
            new("client", [Steps.CallFromTask]), new("one", [Steps.AnswerTasks]), new("other", [Steps.AnswerTasks])) with
        {
            AllEnd = true,
        })
        { ShortBound = 1, LongBound = 2, LessInViews = 1 },
        new("call-hint", 2, bench => Shared(bench, new("client", [Steps.CallByHint(2)]), new("one", [Steps.AnswerSpinning])) with
        {
            AllEnd = true,
        }) { ShortBound = 2, LongBound = 3 },
        new("call-hint-two", 3, bench => Shared(bench,
            new("client", [Steps.CallByHint(2)]), new("one", [Steps.AnswerSpinning]), new("other", [Steps.AnswerClearing])) with
        {
            AllEnd = true,
        }) { ShortBound = 1, LongBound = 2, LessInViews = 1 },
        new("kill-call", 3, bench => Shared(bench,
            new("client", [Steps.CallAndGiveUp]), Mortal("mortal", Steps.AnswerCalls), new("other", [Steps.AnswerCalls])) with
        {
            Kills = 1,
        }) { ShortBound = 1, LongBound = 2, LessInViews = 1 },
        new("stop-call", 3, bench => Shared(bench,
            new("client", [Steps.CallAndGiveUp]), Mortal("mortal", Steps.AnswerCalls), new("other", [Steps.AnswerCalls])) with
        {
            Stops = 1,
        }) { ShortBound = 1, LongBound = 2, LessInViews = 1 },
    ];

    /// <summary>Those of which random schedules are tried.</summary>
    public static IReadOnlyList<CatalogueEntry> Large { get; } =
    [
        new("random-append", 4, bench => new("", bench,
            [Mortal("first", Steps.Append(0, 1, 2)), Mortal("second", Steps.Append(16, 17)), Mortal("batch", Steps.AppendTogether(32, 33)),
                Reader(7)])
            { Kills = 2, Stops = 1 }),
        new("random-roll", 4, bench => new("", bench,
            [Mortal("first", Steps.AppendTogether(0), Steps.AppendTogether(1, 2)),
                Mortal("second", Steps.AppendTogether(16), Steps.AppendTogether(17)), Reader(5), Reader(5)])
            { Kills = 1, Stops = 1 }) { Start = OneRecordLeft },
        new("random-lease", 4, bench => new("", bench,
            [Writer("first", 0, 1, 2), Mortal("one", Steps.LeaseAndCommit(2), Steps.LeaseAndAbandon(1)),
                Mortal("other", Steps.LeaseAndAbandon(2)),
                new("last", [Steps.LeaseAndCommit(3), Steps.LeaseAndCommit(2)])])
            { Kills = 2, Stops = 1 }),
    ];

    /// <summary>The one of a name.</summary>
    public static CatalogueEntry Find(string name) => Small.Concat(Large).First(entry => entry.Name == name);

    // Time passes once, a process is killed once; in the end somebody looks for what is left.
    private static Scenario Timed(QueueBench bench, params Actor[] actors) =>
        new("", bench, [.. actors, new Actor("last", [Steps.TakeWhatIsLeft]) { ComesLast = true }]) { Kills = 1, Ticks = 1 };

    // As with time-outs, but no time passes.
    private static Scenario SoughtBack(QueueBench bench, params Actor[] actors) => Timed(bench, actors) with { Ticks = 0 };

    private static Scenario OfLetters(QueueBench bench, params Actor[] actors) =>
        Timed(bench, actors) with { Ticks = 0, AreLetters = true };

    // The last of the bench's segments is the only one that was not given up, if any; a process is killed once.
    private static Scenario Retained(QueueBench bench, params Actor[] actors) =>
        new("", bench, [.. actors, new Actor("last", [Steps.LookAtSegments]) { ComesLast = true }]) { Kills = 1 };

    // The words of a shared object stand beside those of the queue, which nobody uses meanwhile.
    private static Scenario Shared(QueueBench bench, params Actor[] actors) => new("", bench, actors) { HasFences = true };

    private static Actor Thread(string name, int? of, params Action<Seat>[] steps) => new(name, steps, IsMortal: name[0] == 'x')
    {
        ThreadOf = of,
    };

    private static Actor Writer(string name, params int[] messages) => new(name, [Steps.Append(messages)]);

    private static Actor Reader(int messages) => new("reader", [Steps.Consume(messages)]);

    private static Actor Mortal(string name, params Action<Seat>[] steps) => new(name, steps, IsMortal: true);
}
