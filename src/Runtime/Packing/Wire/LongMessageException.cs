namespace BlitQueue;

/// <summary>
/// A message turns out to be too long for being packed where it is to stay. Caught by who began that: it is packed elsewhere.
/// </summary>
internal sealed class LongMessageException : Exception;
