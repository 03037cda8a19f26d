using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Plans;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Operations;

/// <summary>What those who run machines wait for: hundreds of processes that start, a restart at depth, the longest messages.</summary>
internal static class OperationsPlan
{
    /// <summary>Bytes of the deep queue where nothing is said of them.</summary>
    public const long FullDepth = 20_000_000_000;

    private const string StartedAndOpen = "started at once, each opens it", StartedAlone = "started at once, each opens nothing",
        UpAndOpen = "up already, all open it at one word", UpAlone = "up already, all answer one word";

    private const string FilledSingly = "filled message by message",
        FilledInBatches = "filled in batches that reach over the ends of segments";

    private const string Again = "opened by a new process", Shallow = "opened by a new process, 10 MB deep",
        Restart = "opened after a power loss, all had been synced", Copy = "opened as a copy, which is read whole",
        Reading = "its files read one after the other";

    private const string OnDisk = "on disk", InMemory = "in shared memory";

    private const string Passed = "enqueued and dequeued", Copied = "copied twice in warm memory", Filed = "written to a file, and read";

    private const int Few = 100, Many = 500, Rounds = 3, LargeBatch = 1000;
    private const long ShallowBytes = 10_000_000;
    private const double Millisecond = 1e6, Second = 1e9;

    /// <param name="depth">Bytes of the deep queue's messages.</param>
    public static IReadOnlyList<ScenarioGroup> Groups(long depth) =>
    [
        Openings(Few), Openings(Many),
        Deep(depth, FilledSingly, batch: 1), Deep(depth, FilledInBatches, LargeBatch),
        Large(OnDisk), Large(InMemory),
    ];

    /// <param name="depth">Bytes of the deep queue's messages.</param>
    public static IReadOnlyList<Promise> Promises(long depth) =>
    [
        .. Opened(Few, 10 * Second), .. Opened(Many, 60 * Second),
        .. Reopened(depth, FilledSingly), .. Reopened(depth, FilledInBatches),
        .. Delivering(OnDisk), .. Delivering(InMemory),
    ];

    private static ScenarioGroup Openings(int processes) => Cold(
        TitleOf(processes),
        new OpeningScenario(StartedAndOpen, Role.Queue, processes, Errand.Open, areUp: false) { OnDisk = true },
        new OpeningScenario(StartedAlone, Role.Floor, processes, Errand.Nothing, areUp: false) { OnDisk = true },
        new OpeningScenario(UpAndOpen, Role.Queue, processes, Errand.Open, areUp: true) { OnDisk = true },
        new OpeningScenario(UpAlone, Role.Rival, processes, Errand.Nothing, areUp: true) { OnDisk = true });

    private static ScenarioGroup Deep(long depth, string filled, int batch)
    {
        DeepDisk deep = new(depth, batch), shallow = new(ShallowBytes, batch);
        return Cold(
            TitleOf(depth, filled),
            new DeepReading(Reading, Role.Floor, deep),
            new DeepOpening(Copy, Role.Queue, deep, Before.Copy, isAwaited: true),
            new DeepOpening(Restart, Role.Queue, deep, Before.PowerLoss),
            new DeepOpening(Again, Role.Queue, deep, Before.Nothing),
            new DeepOpening(Shallow, Role.Rival, shallow, Before.Nothing));
    }

    private static ScenarioGroup Large(string medium)
    {
        bool onDisk = medium == OnDisk;
        ScenarioGroup group = Cold(
            TitleOf(medium),
            new LargeMessages(Passed, Role.Queue, Errand.DeliverLarge) { OnDisk = onDisk },
            new LargeMessages(Copied, Role.Floor, Errand.CopyLarge) { OnDisk = onDisk },
            new LargeMessages(Filed, Role.Peer, Errand.FileLarge) { OnDisk = onDisk });
        return group with { MessageBytes = LargeMessages.Length };
    }

    private static ScenarioGroup Cold(string title, params Scenario[] scenarios) =>
        new(title, scenarios) { IsApart = true, IsCold = true, Rounds = Rounds };

    private static IEnumerable<Promise> Opened(int processes, double limit) =>
    [
        InTime(processes, StartedAndOpen, limit), NobodyRefused(processes, StartedAndOpen),
        InTime(processes, UpAndOpen, limit), NobodyRefused(processes, UpAndOpen),
    ];

    // To start as many takes two processors, by the time that it takes of them, a fifth of the bar where nothing else is at work.
    private static Promise InTime(int processes, string row, double limit) =>
        new($"{processes} processes, {row}", TitleOf(processes), row, StartedAlone, PromiseKind.AtMost, limit) { CalmBelow = limit / 4 };

    private static Promise NobodyRefused(int processes, string row) =>
        Refused($"{processes} processes, {row}: refused", TitleOf(processes), row);

    private static IEnumerable<Promise> Reopened(long depth, string filled)
    {
        string title = TitleOf(depth, filled);
        return
        [
            new($"{title}, {Restart}", title, Restart, Again, PromiseKind.AtMost, 5 * Second),
            new($"{title}, {Copy}", title, Copy, Reading, PromiseKind.TimesAsMany, 0.5),
            Refused($"{title}, opened while another reads it whole: refused", title, Copy),
            Status($"{title}, first GetStatus of a new process", title, Again),
            Status($"{title}, first GetStatus after a power loss", title, Restart),
        ];
    }

    private static Promise Status(string work, string title, string row) =>
        new(work, title, row, Shallow, PromiseKind.AtMost, 20 * Millisecond) { Figure = static sample => sample.Status };

    private static IEnumerable<Promise> Delivering(string medium) =>
    [
        new($"{TitleOf(medium)}, {Passed}", TitleOf(medium), Passed, Copied, PromiseKind.TimesAsLong, 4),
        Idle($"{TitleOf(medium)}, idle afterwards: memory", medium) with { Figure = static sample => sample.Resident },
        Idle($"{TitleOf(medium)}, idle afterwards: memory without mapped files", medium) with
        {
            Figure = static sample => sample.Anonymous,
        },
    ];

    private static Promise Idle(string work, string medium) =>
        new(work, TitleOf(medium), Passed, Copied, PromiseKind.AtMost, LargeMessages.Idle) { Unit = Unit.Bytes };

    private static Promise Refused(string work, string title, string row) => new(work, title, row, null, PromiseKind.AtMost, 0)
    { Figure = static sample => sample.Refused, Unit = Unit.Count, InEveryRound = true };

    private static string TitleOf(int processes) => $"{processes} processes that open one queue on disk";

    private static string TitleOf(long depth, string filled) => $"{Titles.Size(depth)} on disk, {filled}";

    private static string TitleOf(string medium) => $"A message of {LargeMessages.Length >> 20} MiB, {medium}";
}
