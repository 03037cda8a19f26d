namespace BlitQueue.Bench.Links;

/// <summary>What the receiver saw.</summary>
/// <param name="Messages">How many came, each whole and in its turn.</param>
/// <param name="Ended">When the last one was checked, in the clock that all processes share.</param>
/// <param name="FirstNs">Nanoseconds for each in the first batch; null where there was none.</param>
/// <param name="SteadyNs">Nanoseconds for each in the median batch; likewise.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record ReceiveResult(long Messages, long Ended, double? FirstNs, double? SteadyNs, long Allocated);
