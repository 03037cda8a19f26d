namespace BlitQueue.Bench.Measuring;

/// <summary>A scenario's samples, one a round.</summary>
internal sealed record Row(string Name, Role Role)
{
    public List<Sample> Samples { get; } = [];

    /// <returns>null where no round has the figure.</returns>
    public double? Median(Func<Sample, double?> figure) => MedianOf(Samples.Select(figure));

    /// <summary>
    /// How many times as long as another row this one takes: the median over the rounds, so that a machine that was slow for a while
    /// slows both sides of a ratio.
    /// </summary>
    public double? RatioTo(Row other, Func<Sample, double?> figure) =>
        MedianOf(Samples.Zip(other.Samples, (mine, its) => figure(mine) / figure(its)));

    private static double? MedianOf(IEnumerable<double?> figures)
    {
        double[] known = [.. figures.OfType<double>()];
        return known.Length == 0 ? null : Statistics.Median(known);
    }
}
