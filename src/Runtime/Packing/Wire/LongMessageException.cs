namespace BlitQueue;

/// <summary>A message turns out to be too long to be packed in place. The caller catches this, and packs the message elsewhere.</summary>
internal sealed class LongMessageException : Exception;
