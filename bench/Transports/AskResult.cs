namespace BlitQueue.Bench.Links;

/// <summary>What the asking side saw.</summary>
/// <param name="RoundTrips">How many.</param>
/// <param name="MeanNs">Nanoseconds for each, without the idle time.</param>
/// <param name="FirstNs">Nanoseconds for each in the first batch; null where there was none.</param>
/// <param name="SteadyNs">Nanoseconds for each in the median batch; likewise.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record AskResult(long RoundTrips, double MeanNs, double? FirstNs, double? SteadyNs, long Allocated);
