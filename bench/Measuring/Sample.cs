namespace BlitQueue.Bench.Measuring;

/// <summary>One measurement of one round.</summary>
/// <param name="Messages">How many messages, or round trips.</param>
/// <param name="Ns">Nanoseconds for each, everything included that happened meanwhile.</param>
/// <param name="FirstNs">Nanoseconds for each in the first batch, over memory that nobody has touched.</param>
/// <param name="SteadyNs">Nanoseconds for each in the median batch.</param>
/// <param name="AllocatedHere">Managed bytes for each in the first process.</param>
/// <param name="AllocatedThere">Likewise in the second one; null where there is none.</param>
internal sealed record Sample(
    long Messages, double Ns, double FirstNs, double SteadyNs, double AllocatedHere, double? AllocatedThere);
