namespace BlitQueue.Bench.Measuring;

/// <summary>One measurement of one round. What does not apply is null.</summary>
/// <param name="Messages">How many messages, or round trips.</param>
/// <param name="Ns">Nanoseconds for each, everything included that happened meanwhile.</param>
internal sealed record Sample(long Messages, double? Ns)
{
    /// <summary>Nanoseconds for each in the first batch, over memory that nobody has touched.</summary>
    public double? FirstNs { get; init; }

    /// <summary>Nanoseconds for each in the median batch.</summary>
    public double? SteadyNs { get; init; }

    /// <summary>Managed bytes for each in the first process.</summary>
    public double? AllocatedHere { get; init; }

    /// <summary>Likewise in the second one.</summary>
    public double? AllocatedThere { get; init; }

    /// <summary>Messages that shared a sync.</summary>
    public double? PerSync { get; init; }

    /// <summary>From the time at which each message was meant to be sent.</summary>
    public Latency? Latency { get; init; }

    /// <summary>Memory of the second process, bytes.</summary>
    public long? Resident { get; init; }
}
