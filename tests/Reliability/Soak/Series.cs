namespace BlitQueue.Reliability.Soak;

/// <summary>Values of one thing over time.</summary>
/// <param name="name">What they are of.</param>
/// <param name="slack">By how much they may differ without meaning anything.</param>
internal sealed class Series(string name, long slack)
{
    private readonly List<long> _values = [];

    public void Add(long value) => _values.Add(value);

    /// <summary>
    /// What has grown, in words; null where nothing has. The first third warms up; of the others the medians are compared, which neither the
    /// odd sample nor ups and downs that are shorter than a third move.
    /// </summary>
    public string? Growth()
    {
        if (_values.Count < 9)
        {
            return null;
        }
        int third = _values.Count / 3;
        long middle = Median(_values[third..(2 * third)]), last = Median(_values[(2 * third)..]);
        return last > middle + slack + (middle / 10) ? $"{name} grew from {middle:N0} to {last:N0}" : null;
    }

    private static long Median(List<long> values)
    {
        values.Sort();
        return values[values.Count / 2];
    }
}
