namespace BlitQueue.Bench.Promises;

/// <summary>How a promise fared in a run.</summary>
/// <param name="Promise">The promise.</param>
/// <param name="Ours">Our median, in its unit.</param>
/// <param name="Beside">The median of the row beside it.</param>
/// <param name="Ratio">How many times as much ours is: the median of the rounds' ratios.</param>
/// <param name="Outcome">Whether it is held.</param>
internal sealed record Judgement(Promise Promise, double? Ours, double? Beside, double? Ratio, Outcome Outcome);
