namespace BlitQueue.Tests.Packing.Samples;

/// <summary>A struct without padding, copied as it lies in memory.</summary>
public record struct Pair(int First, int Second);
