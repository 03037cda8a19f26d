namespace BlitQueue;

/// <summary>
/// Something about a queue's directory or its participants that the program cannot repair by itself. The message names the path, what was
/// found and what to do. More precise kinds derive from it.
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

    // A file was written by a newer version of the library: it is not damaged, and nothing that this version knows can be done to it.
    internal bool IsOfNewerFormat { get; init; }
}
