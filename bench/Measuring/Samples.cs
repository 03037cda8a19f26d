namespace BlitQueue.Bench.Measuring;

/// <summary>One measurement of one round. What does not apply is null.</summary>
/// <param name="Messages">How many messages, or round trips.</param>
/// <param name="Ns">Nanoseconds for each, everything included that happened meanwhile.</param>
internal sealed record Sample(long Messages, double? Ns)
{
    /// <summary>Nanoseconds for each in the first batch, over memory that was never touched.</summary>
    public double? FirstNs { get; init; }

    /// <summary>Nanoseconds for each in the median batch.</summary>
    public double? SteadyNs { get; init; }

    /// <summary>Managed bytes for each in the first process.</summary>
    public double? AllocatedHere { get; init; }

    /// <summary>Managed bytes for each in the second process.</summary>
    public double? AllocatedThere { get; init; }

    /// <summary>Messages that shared a sync.</summary>
    public double? PerSync { get; init; }

    /// <summary>From the time at which each message was meant to be sent.</summary>
    public Latency? Latency { get; init; }

    /// <summary>Of several producers what the one that sent least sent, beside the one that sent most: at most 1.</summary>
    public double? Fairness { get; init; }

    /// <summary>The same of several consumers.</summary>
    public double? ConsumerFairness { get; init; }

    /// <summary>Memory of the second process, bytes.</summary>
    public long? Resident { get; init; }

    /// <summary>The same without mapped files.</summary>
    public long? Anonymous { get; init; }

    /// <summary>Nanoseconds for all of it, where what counts is no number of messages.</summary>
    public double? Time { get; init; }

    /// <summary>The same of the first one, where more were measured that follow.</summary>
    public double? FirstTime { get; init; }

    /// <summary>Nanoseconds of the longest single opening of a queue.</summary>
    public double? LongestOpen { get; init; }

    /// <summary>Nanoseconds of a process' first look at the status.</summary>
    public double? Status { get; init; }

    /// <summary>How many processes were refused what they asked for.</summary>
    public int? Refused { get; init; }
}

/// <summary>What a row is for.</summary>
internal enum Role
{
    /// <summary>A queue.</summary>
    Queue,

    /// <summary>What somebody might use instead; ratios are given against one of them, the <see cref="Peer"/>.</summary>
    Rival,

    /// <summary>The rival that ratios are given against.</summary>
    Peer,

    /// <summary>What the hardware allows; ratios are given against it.</summary>
    Floor,
}

/// <summary>A scenario's samples, one a round.</summary>
internal sealed record Row(string Name, Role Role)
{
    public List<Sample> Samples { get; } = [];

    /// <returns>null where no round has the figure.</returns>
    public double? Median(Func<Sample, double?> figure) => MedianOf(Samples.Select(figure));

    /// <returns>null where no round has the figure.</returns>
    public double? Highest(Func<Sample, double?> figure) => Samples.Max(figure);

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

/// <summary>One group's rows.</summary>
internal sealed record Table(string Title, long? MessageBytes, IReadOnlyList<Row> Rows)
{
    public Row? Floor => Rows.FirstOrDefault(row => row.Role == Role.Floor);

    public Row? Peer => Rows.FirstOrDefault(row => row.Role == Role.Peer);
}

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
