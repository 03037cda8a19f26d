namespace BlitQueue;

/// <summary>How far a backup or a verification has come.</summary>
/// <param name="File">The file that was just read, absolute.</param>
/// <param name="Bytes">Bytes done.</param>
/// <param name="Total">Bytes to do in all, as far as it is known: a queue that is in use may grow meanwhile.</param>
public readonly record struct QueueProgress(string File, long Bytes, long Total);
