namespace BlitQueue;

/// <summary>
/// A queue's files have bytes that the queue cannot have written. The consumer's position does not move, so that no message is skipped
/// silently.
/// </summary>
public sealed class QueueCorruptException : QueueException
{
    /// <summary>Creates the exception for an offset in a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="offset">Bytes from the file's start, 0 or more.</param>
    /// <param name="message">What was found, and what to do.</param>
    /// <param name="innerException">The cause; a <see cref="PackException"/> where a message could not be unpacked.</param>
    public QueueCorruptException(string path, long offset, string message, Exception? innerException = null)
        : base($"{path} at offset {offset}: {message}", innerException)
    {
        base.Path = path;
        Reason = QueueError.Corrupt;
        Offset = offset;
    }

    /// <summary>
    /// The position at which the hole begins: the record there cannot be read. null if the damage is not in the log, or if it hides where
    /// the log goes on.
    /// </summary>
    public QueuePosition? HoleStart => Hole is { } hole ? new QueuePosition(hole.Start) : null;

    /// <summary>
    /// The position at which the log goes on behind the hole: the next message that is whole, or the log's end. <see
    /// cref="Subscription{T}.SkipCorrupt"/> moves a subscription there, <see cref="QueueCursor{T}.Seek"/> a cursor.
    /// </summary>
    public QueuePosition? HoleEnd => Hole is { } hole ? new QueuePosition(hole.End) : null;

    internal (long Start, long End)? Hole { get; init; }

    /// <summary>The advice for damage that a repair can skip.</summary>
    internal static string RepairAdvice(string directory) =>
        $"MappedQueue.Repair(\"{directory}\"), when no process has the queue open, sets aside what is damaged and goes on behind it.";

    /// <summary>The file that has the bytes.</summary>
    public new string Path => base.Path!;

    /// <summary>Where in the file, in bytes from its start.</summary>
    public long Offset { get; }
}
