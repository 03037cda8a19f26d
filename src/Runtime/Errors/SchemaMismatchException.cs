namespace BlitQueue;

/// <summary>
/// The directory holds another message type than the one it was opened with. The message tells member by member how they differ.
/// </summary>
/// <param name="message">The differences.</param>
public sealed class SchemaMismatchException(string message) : QueueException(message);
