using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Links;

/// <summary>How late messages were.</summary>
/// <param name="Messages">How many.</param>
/// <param name="Latency">From the time at which each was meant to be sent.</param>
internal sealed record LatencyResult(long Messages, Latency Latency);
