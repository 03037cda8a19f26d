using BlitQueue.Bench.Peers;
using BlitQueue.Bench.Plans;

namespace BlitQueue.Bench.Measuring;

/// <summary>Runs the plan in interleaved rounds: each round measures every row once, so that noise hits all alike.</summary>
internal static class Runner
{
    public static IReadOnlyList<Table> Run(BenchOptions options)
    {
        using var peers = new PeerSet();
        IReadOnlyList<ScenarioGroup> plan = Plan.Make(peers, options.Depth);
        try
        {
            return Run([.. plan.Select(group => Chosen(group, options.Only)).Where(static group => group.Scenarios.Count > 0)], options);
        }
        finally
        {
            foreach (Scenario scenario in plan.SelectMany(static group => group.Scenarios))
            {
                scenario.Dispose();
            }
        }
    }

    private static IReadOnlyList<Table> Run(IReadOnlyList<ScenarioGroup> plan, BenchOptions options)
    {
        IReadOnlyList<Table> tables = [.. plan.Select(static group =>
            new Table(group.Title, group.MessageBytes, [.. group.Scenarios.Select(static scenario => new Row(scenario.Name, scenario.Role))]))];
        Say("warm-up");
        // Twice: the JIT compiles the instrumented code's successor in the background, after a moment of calm.
        for (int i = 0; i < 2; i++)
        {
            foreach (Scenario scenario in plan.SelectMany(static group => group.Scenarios))
            {
                Measure(scenario, options.WarmUp);
            }
        }
        for (int round = 1; round <= options.Rounds; round++)
        {
            Say($", round {round} of {options.Rounds}");
            MeasureOnce(plan, tables, round, options.Duration);
        }
        Say("\n");
        return tables;
    }

    private static void MeasureOnce(IReadOnlyList<ScenarioGroup> plan, IReadOnlyList<Table> tables, int round, TimeSpan duration)
    {
        foreach ((ScenarioGroup group, Table table) in plan.Zip(tables).Where(entry => round <= entry.First.Rounds))
        {
            foreach ((Scenario scenario, Row row) in group.Scenarios.Zip(table.Rows))
            {
                row.Samples.Add(Measure(scenario, duration));
            }
        }
    }

    private static ScenarioGroup Chosen(ScenarioGroup group, string only) => group with
    {
        Scenarios = [.. group.Scenarios.Where(scenario => $"{group.Title}: {scenario.Name}".Contains(only, StringComparison.OrdinalIgnoreCase))],
    };

    private static Sample Measure(Scenario scenario, TimeSpan duration)
    {
        // What the scenario before left behind is not this one's to collect.
        GC.Collect();
        using var place = new Place(scenario.OnDisk);
        return scenario.Measure(duration, place.Path);
    }

    private static void Say(string text) => Console.Error.Write(text);
}
