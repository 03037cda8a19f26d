namespace BlitQueue.Bench.Links;

/// <summary>What the sender saw.</summary>
/// <param name="Messages">How many were sent.</param>
/// <param name="Started">When, in the clock that all processes share.</param>
/// <param name="Ended">When the last one was sent.</param>
/// <param name="Allocated">Managed bytes.</param>
internal sealed record SendResult(long Messages, long Started, long Ended, long Allocated);
