namespace BlitQueue.Reliability.Corruption;

/// <summary>Where a message of an undamaged store stands.</summary>
/// <param name="Key">The message's.</param>
/// <param name="File">The segment that it begins in, relative.</param>
/// <param name="Offset">Of its record, in the file.</param>
/// <param name="Length">Bytes of its record; 0 where it is in several, so that whole segments are compared.</param>
internal readonly record struct GoldenRecord(long Key, string File, int Offset, int Length);
