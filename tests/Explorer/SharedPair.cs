namespace BlitQueue.Explorer;

/// <summary>A value of two words, which fit together if they are equal.</summary>
internal readonly record struct SharedPair(long First, long Second);
