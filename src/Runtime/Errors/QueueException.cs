namespace BlitQueue;

/// <summary>
/// Something is wrong with a queue's directory or with a process that uses the queue, and the library cannot solve it. The message names
/// the path, what was found and what to do. More specific exceptions derive from this one.
/// </summary>
public class QueueException : Exception
{
    /// <summary>Creates the exception with what went wrong and what to do.</summary>
    public QueueException(string message) : base(message)
    {
    }

    /// <summary>Creates the exception with what went wrong and its cause.</summary>
    public QueueException(string message, Exception? innerException) : base(message, innerException)
    {
    }

    /// <summary>What went wrong, for code; the text is for people.</summary>
    public QueueError Reason { get; init; }

    /// <summary>The directory or file that it is about, absolute; null where it is about none.</summary>
    public string? Path { get; init; }

    /// <summary>The process that is in the way, where the text names one; else null.</summary>
    public int? ProcessId { get; init; }

    /// <summary>Whether a dead letter that could not be written may be later: the disk was full, or a process was stopped.</summary>
    internal bool DelaysLetters => this is QueueFullException || Reason == QueueError.Stalled;
}
