using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Operations;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench;

public sealed class PromiseTests
{
    private const long Depth = 1_000_000_000;
    private const string Title = "table", Ours = "queue", Floor = "floor";

    [Fact]
    public void The_ratio_is_the_median_of_the_rounds_ratios()
    {
        // The medians alone would say 2: a round that was slow for both must not count twice.
        Judgement judgement = Judge(PromiseKind.TimesAsLong, 1.5, ours: [10, 300, 40], floor: [10, 200, 20]);
        Assert.Equal((1.5, Outcome.Met), (judgement.Ratio, judgement.Outcome));
    }

    [Theory]
    [InlineData(1.99, "Missed")]
    [InlineData(2, "Met")]
    public void As_long_means_at_most(double limit, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.TimesAsLong, limit, [20], [10]).Outcome.ToString());

    [Theory]
    [InlineData(0.5, "Met")]
    [InlineData(0.51, "Missed")]
    public void As_many_means_at_least(double limit, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.TimesAsMany, limit, [20], [10]).Outcome.ToString());

    [Theory]
    [InlineData(10e6, "Met")]
    [InlineData(10.1e6, "Missed")]
    public void A_rate_needs_nothing_beside_it(double limit, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.PerSecond, limit, [100], null).Outcome.ToString());

    [Theory]
    [InlineData(0.25, "Met")]
    [InlineData(0.26, "Missed")]
    public void At_least_needs_nothing_beside_it(double limit, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.AtLeast, limit, [0.25], null).Outcome.ToString());

    [Theory]
    [InlineData(11, "Met")]
    [InlineData(9, "Missed")]
    public void More_is_counted_from_the_row_beside(double limit, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.AtMostMore, limit, [20], [10]).Outcome.ToString());

    [Theory]
    [InlineData(10, 4, "Met")]
    [InlineData(11, 4, "Missed")]
    [InlineData(11, 5, "NotCalm")]
    [InlineData(10, 50, "Met")]
    public void A_machine_that_is_not_calm_excuses_and_does_not_condemn(double ours, double floor, string outcome) =>
        Assert.Equal(outcome, Judge(PromiseKind.AtMost, 10, [ours], [floor], calmBelow: 5).Outcome.ToString());

    [Fact]
    public void What_has_to_be_true_in_every_round_is_judged_by_the_worst()
    {
        double[] ours = [0, 1, 0];
        Assert.Equal(Outcome.Met, Judge(PromiseKind.AtMost, 0, ours, null).Outcome);
        Judgement judgement = Judge(PromiseKind.AtMost, 0, ours, null, inEveryRound: true);
        Assert.Equal((1, Outcome.Missed), (judgement.Ours, judgement.Outcome));
    }

    [Fact]
    public void A_row_that_is_not_there_is_neither_met_nor_missed()
    {
        Assert.Equal(Outcome.NotMeasured, Judge(PromiseKind.TimesAsLong, 2, [10], null).Outcome);
        Assert.Equal(Outcome.NotMeasured, Judge(PromiseKind.TimesAsLong, 2, null, [10]).Outcome);
        Assert.Equal(Outcome.NotMeasured, Judge(PromiseKind.PerSecond, 2, [], [10]).Outcome);
    }

    [Fact]
    public void Every_promise_names_rows_of_the_plan()
    {
        using var workers = new Workers.WorkerSet();
        // There may be no C compiler.
        IEnumerable<string> missing = Missing(PromiseList.All(Depth), Plans.Plan.Make(workers, Depth));
        Assert.All(missing, static name => Assert.True(name.EndsWith(", in C"), name));
    }

    [Fact]
    public void Every_promise_about_latency_and_scale_names_rows_of_their_plans()
    {
        using var workers = new Workers.WorkerSet();
        Assert.Empty(Missing(PromiseList.Latencies(), Plans.LatencyPlan.AtAllRates(workers)));
        Assert.Empty(Missing(PromiseList.Scale(), Plans.ScalePlan.Groups(workers)));
    }

    [Fact]
    public void Every_promise_about_operations_names_rows_of_their_plan() =>
        Assert.Empty(Missing(OperationsPlan.Promises(Depth), OperationsPlan.Groups(Depth)));

    [Fact]
    public void Every_promise_about_operations_is_judged_by_what_their_rows_measure()
    {
        var sample = new Sample(1, Ns: null) { Time = 1, Status = 1, Refused = 0, Resident = 1, Anonymous = 1 };
        Table[] tables =
            [.. OperationsPlan.Groups(Depth).Select(group => new Table(group.Title, null, [.. group.Scenarios.Select(RowOf)]))];
        Assert.All(OperationsPlan.Promises(Depth), promise =>
            Assert.Equal((promise, Outcome.Met), (promise, promise.Judge(tables).Outcome)));

        Row RowOf(Scenario scenario)
        {
            var row = new Row(scenario.Name, scenario.Role);
            row.Samples.Add(sample);
            return row;
        }
    }

    private static IEnumerable<string> Missing(IEnumerable<Promise> promises, IReadOnlyList<ScenarioGroup> plan) =>
        promises.SelectMany(promise => new[] { promise.Ours, promise.Beside }
            .OfType<string>()
            .Where(row => !plan.Any(group => group.Title == promise.Title && group.Scenarios.Any(scenario => scenario.Name == row)))
            .Select(row => $"{promise.Work}: {row}"));

    private static Judgement Judge(
        PromiseKind kind, double limit, double[]? ours, double[]? floor,
        double calmBelow = double.PositiveInfinity, bool inEveryRound = false) =>
        new Promise("work", Title, Ours, Floor, kind, limit) { CalmBelow = calmBelow, InEveryRound = inEveryRound }.Judge(
            [new Table(Title, MessageBytes: null, [.. Rows((Ours, Role.Queue, ours), (Floor, Role.Floor, floor))])]);

    private static IEnumerable<Row> Rows(params (string Name, Role Role, double[]? Ns)[] rows)
    {
        foreach ((string? name, Role role, double[]? figures) in rows.Where(row => row.Ns is not null))
        {
            var row = new Row(name, role);
            row.Samples.AddRange(figures!.Select(ns => new Sample(1, ns)));
            yield return row;
        }
    }
}
