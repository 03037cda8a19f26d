namespace BlitQueue.Reliability;

/// <summary>What a campaign counts, and how many of it each form of the campaign is to reach.</summary>
/// <param name="Counter">For example "kills".</param>
/// <param name="Short">The number for every change.</param>
/// <param name="Long">The number for a release.</param>
internal sealed record Aim(string Counter, long Short, long Long);
