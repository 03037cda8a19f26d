namespace BlitQueue.Bench.Serializing;

/// <summary>What is promised of one work.</summary>
/// <param name="Work">Ours.</param>
/// <param name="Rival">What it is compared with; null where the promise is a time.</param>
/// <param name="Limit">How many times the rival's time it may take at most; with no rival, how many nanoseconds.</param>
internal sealed record Bar(Work Work, Work? Rival, double Limit);
