namespace BlitQueue;

/// <summary>How full a queue was when it passed its soft limit.</summary>
/// <param name="Bytes">Bytes of log that wait to be consumed, with what was just being enqueued.</param>
/// <param name="SoftLimit"><see cref="QueueOptions.SoftLimit"/> of the handle, bytes.</param>
public readonly record struct QueueFill(long Bytes, long SoftLimit);
