namespace BlitQueue.Bench.Charts;

/// <summary>An axis whose steps are powers of ten, from the power at or below the least value to the one at or above the largest.</summary>
/// <param name="Least">Values above 0.</param>
/// <param name="Most">Not below the least.</param>
/// <param name="Start">Where the axis starts, pixels.</param>
/// <param name="Length">Pixels; negative where it goes upwards.</param>
internal readonly record struct LogScale(double Least, double Most, double Start, double Length)
{
    private int Lowest => (int)Math.Floor(Math.Log10(Least));

    private int Highest => Math.Max(Lowest + 1, (int)Math.Ceiling(Math.Log10(Most)));

    /// <summary>The powers of ten, both ends included.</summary>
    public IEnumerable<double> Ticks
    {
        get
        {
            int lowest = Lowest;
            return Enumerable.Range(lowest, Highest - lowest + 1).Select(static power => Math.Pow(10, power));
        }
    }

    public double At(double value) => Start + ((Math.Log10(value) - Lowest) / (Highest - Lowest) * Length);
}
