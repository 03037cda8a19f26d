namespace BlitQueue.RabbitMq;

/// <summary>A message by its name in the queue, which no other message ever has.</summary>
/// <param name="Epoch">The epoch (<see cref="QueueEpoch.Id"/>).</param>
/// <param name="Position">The position.</param>
internal readonly record struct ForwardPoint(long Epoch, long Position);
