namespace BlitQueue;

/// <summary>
/// The directory's message type differs from the one it was opened with. The exception's text lists the differences, member by member.
/// </summary>
/// <param name="message">The differences.</param>
public sealed class SchemaMismatchException(string message) : QueueException(message);
