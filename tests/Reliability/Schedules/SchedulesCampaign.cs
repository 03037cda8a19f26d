using System.Globalization;
using BlitQueue.Explorer;

namespace BlitQueue.Reliability.Schedules;

/// <summary>Every schedule of small scenarios, on three kinds of memory; then random ones of larger scenarios.</summary>
internal sealed class SchedulesCampaign : ICampaign
{
    private const string Scenarios = "scenarios", Walks = "random schedules";

    // A schedule to be told instead: the scenario, the memory and the moves, as a violation gives them.
    private const string ReplayVariable = "BLITQUEUE_SCHEDULE";

    // Scenarios to be explored alone, each with its bound and perhaps one memory: "time-out:2:Sequential lease:3".
    private const string OnlyVariable = "BLITQUEUE_SCENARIOS";

    // Some 40 bytes each, in as many scenarios at once as there are processors.
    private const long MostStates = 40_000_000;

    private static readonly MemoryMode[] Modes = Enum.GetValues<MemoryMode>();

    private double _schedules;

    public string Name => "schedules";

    public string Claim =>
        "The protocol's own code runs on a simulated memory, under every schedule of small scenarios in which a process that could go on "
        + "is left for another up to twice (in the long form three times, but in the largest; those with time-outs in the short form once "
        + "or not at all), with processes killed and stopped at every point; on sequential memory, with store buffers as on x86, and with "
        + "weaker order than Arm's. What was acknowledged is there once, whole and in order; nobody living is robbed; no wake-up is lost; "
        + "nobody waits for ever. ([What is modelled](explorer.md))";

    public IReadOnlyList<Aim> Aims { get; } =
    [
        new(Scenarios, Catalogue.Small.Count * Modes.Length, Catalogue.Small.Count * Modes.Length),
        new(Walks, 20_000, 1_000_000),
    ];

    public void Run(CampaignRun run)
    {
        if (Environment.GetEnvironmentVariable(ReplayVariable) is { Length: > 0 } schedule)
        {
            Tell(run, schedule);
            return;
        }
        if (Environment.GetEnvironmentVariable(OnlyVariable) is { Length: > 0 } only)
        {
            foreach (string[] part in only.Split(' ').Select(static text => text.Split(':')))
            {
                ExploreAlone(
                    run, Catalogue.Find(part[0]), int.Parse(part[1], CultureInfo.InvariantCulture),
                    part.Length > 2 ? [Enum.Parse<MemoryMode>(part[2])] : Modes);
            }
            return;
        }
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = Math.Min(Environment.ProcessorCount, 4) };
        Parallel.ForEach(
            from entry in Catalogue.Small from mode in Modes select (entry, mode), parallel, pair => Explore(run, pair.entry, pair.mode));
        run.Highest("schedules without store buffers", (long)Math.Min(_schedules, 9e18));
        Parallel.ForEach(
            Catalogue.Large.SelectMany(static entry => Modes, static (entry, mode) => (entry, mode))
                .Select(static (pair, number) => (pair.entry, pair.mode, number)),
            parallel, part => Walk(run, part.entry, part.mode, part.number));
    }

    private void Explore(CampaignRun run, CatalogueEntry entry, MemoryMode mode)
    {
        if (run.TimeIsUp)
        {
            return;
        }
        Scenario scenario = entry.Open();
        using QueueBench bench = scenario.Bench;
        int? bound = entry.BoundIn(mode, run.IsLong ? entry.LongBound : entry.ShortBound);
        Exploration exploration = new Explorer.Explorer(scenario, mode, bound, MostStates, stop: () => run.TimeIsUp).Run();
        run.Count("states", exploration.States);
        run.Count("moves", exploration.Moves);
        run.Count("crash points", exploration.Kills);
        run.Highest("largest scenario, states", exploration.States);
        // With store buffers each has billions of ways for its writes to arrive.
        lock (Modes)
        {
            _schedules += mode == MemoryMode.StoreBuffers ? 0 : exploration.Schedules;
        }
        if (exploration.IsComplete)
        {
            run.Count(Scenarios);
        }
        if (exploration.Finding is { } finding)
        {
            Violate(run, scenario, mode, Explorer.Explorer.FindSimplest(scenario, mode, 2, 300_000) ?? finding);
        }
    }

    private static void ExploreAlone(CampaignRun run, CatalogueEntry entry, int bound, MemoryMode[] modes)
    {
        foreach (MemoryMode mode in modes)
        {
            long begin = Environment.TickCount64;
            Scenario scenario = entry.Open();
            using QueueBench bench = scenario.Bench;
            Exploration exploration = new Explorer.Explorer(scenario, mode, bound, MostStates, stop: () => run.TimeIsUp).Run();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{entry.Name} {mode} {bound}: {(exploration.IsComplete ? "all" : "not all")}, {exploration.Schedules:n0} schedules, "
                + $"{exploration.Ends:n0} ends, {exploration.States:n0} states, {exploration.Kills:n0} kills, "
                + $"{(Environment.TickCount64 - begin) / 1000.0:n1} s"));
            if (exploration.Finding is { } finding)
            {
                Violate(run, scenario, mode, finding);
            }
        }
    }

    private static void Walk(CampaignRun run, CatalogueEntry entry, MemoryMode mode, int number)
    {
        Scenario scenario = entry.Open();
        using QueueBench bench = scenario.Bench;
        var walks = new RandomWalks(scenario, mode);
        long most = run.Target(new Aim(Walks, 20_000, 1_000_000)) / (Catalogue.Large.Count * Modes.Length) + 1;
        for (long i = 0; i < most && !run.TimeIsUp; i++)
        {
            if (walks.Walk(run.RandomOf((number * 10_000_000L) + i)) is { } finding)
            {
                Violate(run, scenario, mode, finding);
                return;
            }
            run.Count(Walks);
        }
    }

    private static void Violate(CampaignRun run, Scenario scenario, MemoryMode mode, Finding finding) =>
        run.Violate(
            $"{finding.What}. To be told it: {ReplayVariable}=\"{scenario.Name} {mode} {scenario.Bench.Words.Export()} "
                + $"{finding.Schedule}\" before the command");

    private static void Tell(CampaignRun run, string text)
    {
        string[] parts = text.Split(' ', 4);
        CatalogueEntry entry = Catalogue.Find(parts[0]);
        Scenario scenario = entry.Open();
        using QueueBench bench = scenario.Bench;
        bench.Words.Import(parts[2]);
        string? fault = Replay.Run(scenario, Enum.Parse<MemoryMode>(parts[1]), parts[3], out string story);
        Console.WriteLine(story);
        if (fault is not null)
        {
            run.Violate(fault);
        }
    }
}
