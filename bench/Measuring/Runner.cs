namespace BlitQueue.Bench.Measuring;

/// <summary>
/// Runs the plan in interleaved rounds: each round measures every row once, so that noise hits all
/// alike. What is apart has rounds of its own.
/// </summary>
internal static class Runner
{
    public static IReadOnlyList<Table> Run(IReadOnlyList<ScenarioGroup> plan, BenchOptions options)
    {
        try
        {
            IEnumerable<ScenarioGroup> chosen = plan.Select(group => Chosen(group, options.Only));
            return RunChosen([.. chosen.Where(static group => group.Scenarios.Count > 0)], options);
        }
        finally
        {
            plan.ToList().ForEach(Dispose);
        }
    }

    private static void Dispose(ScenarioGroup group)
    {
        foreach (Scenario scenario in group.Scenarios)
        {
            scenario.Dispose();
        }
    }

    private static IReadOnlyList<Table> RunChosen(IReadOnlyList<ScenarioGroup> plan, BenchOptions options)
    {
        IReadOnlyList<(ScenarioGroup Group, Table Table)> all = [.. plan.Select(static group => (group, TableOf(group)))];
        Measure([.. all.Where(static entry => !entry.Group.IsApart)], options);
        foreach ((ScenarioGroup Group, Table Table) apart in all.Where(static entry => entry.Group.IsApart))
        {
            Measure([apart], options);
            Dispose(apart.Group);
        }
        return [.. all.Select(static entry => entry.Table)];
    }

    private static Table TableOf(ScenarioGroup group) =>
        new(group.Title, group.MessageBytes, [.. group.Scenarios.Select(static scenario => new Row(scenario.Name, scenario.Role))]);

    private static void Measure(IReadOnlyList<(ScenarioGroup Group, Table Table)> plan, BenchOptions options)
    {
        if (plan.Count == 0)
        {
            return;
        }
        Say("warm-up");
        // Twice: the JIT compiles the instrumented code's successor in the background, after a moment of calm.
        for (int i = 0; i < 2; i++)
        {
            foreach (Scenario scenario in plan.Where(static entry => !entry.Group.IsCold).SelectMany(static entry => entry.Group.Scenarios))
            {
                Measure(scenario, options.WarmUp);
            }
        }
        for (int round = 1; round <= Math.Min(options.Rounds, plan.Max(static entry => entry.Group.Rounds)); round++)
        {
            Say($", round {round} of {options.Rounds}");
            MeasureOnce(plan, round, options.Duration);
        }
        Say("\n");
    }

    private static void MeasureOnce(IReadOnlyList<(ScenarioGroup Group, Table Table)> plan, int round, TimeSpan duration)
    {
        foreach ((ScenarioGroup group, Table table) in plan.Where(entry => round <= entry.Group.Rounds))
        {
            foreach ((Scenario scenario, Row row) in group.Scenarios.Zip(table.Rows))
            {
                row.Samples.Add(Measure(scenario, duration));
            }
        }
    }

    private static ScenarioGroup Chosen(ScenarioGroup group, string only) => group with
    {
        Scenarios = [.. group.Scenarios.Where(
            scenario => $"{group.Title}: {scenario.Name}".Contains(only, StringComparison.OrdinalIgnoreCase))],
    };

    private static Sample Measure(Scenario scenario, TimeSpan duration)
    {
        // What the scenario before left behind is not this one's to collect.
        GC.Collect();
        using var scratch = new ScratchDirectory(scenario.OnDisk);
        return scenario.Measure(duration, scratch.Path);
    }

    private static void Say(string text) => Console.Error.Write(text);
}
