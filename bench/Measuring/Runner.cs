using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Measuring;

/// <summary>Runs the plan in interleaved rounds: each round measures every row once, so that noise hits all alike.</summary>
internal static class Runner
{
    public static IReadOnlyList<Table> Run(BenchOptions options)
    {
        using var peer = new Peer();
        var plan = Plan.Make(peer)
            .Select(group => (group.Title, Rows: group.Scenarios
                .Where(scenario => $"{group.Title}: {scenario.Name}".Contains(options.Only, StringComparison.OrdinalIgnoreCase))
                .Select(scenario => (Scenario: scenario, Row: new Row(scenario)))
                .ToList()))
            .Where(group => group.Rows.Count > 0)
            .ToList();
        var all = plan.SelectMany(group => group.Rows).ToList();

        Console.Error.Write("warm-up");
        // Twice: the JIT compiles the instrumented code's successor in the background, after a moment of calm.
        for (int i = 0; i < 2; i++)
        {
            all.ForEach(entry => Measure(entry.Scenario, options.WarmUp));
        }
        for (int round = 1; round <= options.Rounds; round++)
        {
            Console.Error.Write($", round {round} of {options.Rounds}");
            all.ForEach(entry => entry.Row.Samples.Add(Measure(entry.Scenario, options.Duration)));
        }
        Console.Error.WriteLine();
        return [.. plan.Select(group => new Table(group.Title, [.. group.Rows.Select(entry => entry.Row)]))];
    }

    private static Sample Measure(Scenario scenario, TimeSpan duration)
    {
        // What the scenario before left behind is not this one's to collect.
        GC.Collect();
        using var place = new Place(scenario.OnDisk);
        return scenario.Measure(duration, place.Path);
    }
}
