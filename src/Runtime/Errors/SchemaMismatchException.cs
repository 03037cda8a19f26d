namespace BlitQueue;

/// <summary>
/// The directory holds another message type than the one it was opened with. The message tells member by member how they differ.
/// </summary>
public sealed class SchemaMismatchException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">The differences.</param>
    public SchemaMismatchException(string message) : base(message) => Reason = QueueError.SchemaMismatch;
}
