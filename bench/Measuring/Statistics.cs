namespace BlitQueue.Bench.Measuring;

/// <summary>Figures over rounds.</summary>
internal static class Statistics
{
    public static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
