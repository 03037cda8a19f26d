namespace BlitQueue;

/// <summary>Another has the queue's appends for itself alone, and lives. To users a <see cref="QueueException"/>; told apart inside.</summary>
internal sealed class SoleProducerException(string message) : QueueException(message);
