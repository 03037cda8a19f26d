namespace BlitQueue;

/// <summary>
/// The directory's message type differs from the one it was opened with. The exception's text lists the differences, member by member.
/// </summary>
public sealed class SchemaMismatchException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">The differences.</param>
    public SchemaMismatchException(string message) : base(message) => Reason = QueueError.SchemaMismatch;
}
