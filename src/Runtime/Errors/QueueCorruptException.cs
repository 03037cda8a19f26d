namespace BlitQueue;

/// <summary>
/// Bytes in a queue's files that cannot be its own. The position stays where it was, so that nothing is skipped unseen.
/// </summary>
public sealed class QueueCorruptException : QueueException
{
    /// <summary>Creates the exception for a place in a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="offset">Bytes from the file's start, 0 or more.</param>
    /// <param name="message">What was found, and what to do.</param>
    /// <param name="innerException">The cause; a <see cref="PackException"/> where a message could not be unpacked.</param>
    public QueueCorruptException(string path, long offset, string message, Exception? innerException = null)
        : base($"{path} at offset {offset}: {message}", innerException)
    {
        Path = path;
        Offset = offset;
    }

    /// <summary>The file that holds the bytes.</summary>
    public string Path { get; }

    /// <summary>Where in the file, in bytes from its start.</summary>
    public long Offset { get; }
}
