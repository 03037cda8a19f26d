namespace BlitQueue.Bench.Measuring;

/// <summary>A scenario's samples, one a round.</summary>
internal sealed class Row(Scenario scenario)
{
    public string Name => scenario.Name;

    public Role Role => scenario.Role;

    public List<Sample> Samples { get; } = [];

    public double Median(Func<Sample, double> figure) => Statistics.Median(Samples.Select(figure));

    /// <summary>
    /// How many times as long as another row this one takes: the median over the rounds, so that a machine that was slow for a while
    /// slows both sides of a ratio.
    /// </summary>
    public double RatioTo(Row other, Func<Sample, double> figure) =>
        Statistics.Median(Samples.Zip(other.Samples, (mine, its) => figure(mine) / figure(its)));
}
