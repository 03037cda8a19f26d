namespace BlitQueue;

/// <summary>One thing that a repair found, and what became of it.</summary>
/// <param name="File">The file, absolute.</param>
/// <param name="Offset">Where in the file, bytes from its start.</param>
/// <param name="Bytes">How many bytes are no part of the queue any more; 0 where none are, or it is not known.</param>
/// <param name="What">What was found, and what was done.</param>
public sealed record RepairFinding(string File, long Offset, long Bytes, string What);
