namespace BlitQueue;

/// <summary>
/// A message turns out to be too long for being packed where it is to stay. The caller that began so
/// catches it, and packs the message elsewhere.
/// </summary>
internal sealed class LongMessageException : Exception;
