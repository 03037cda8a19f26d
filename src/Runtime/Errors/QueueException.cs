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

    // A newer version of the library wrote the file: it is not damaged, but this version cannot read or repair it.
    internal bool IsOfNewerFormat { get; init; }
}
