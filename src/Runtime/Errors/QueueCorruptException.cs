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
        base.Path = path;
        Reason = QueueError.Corrupt;
        Offset = offset;
    }

    /// <summary>
    /// Where the hole begins: what should stand there cannot be read. null where what is damaged is no place in
    /// the log, or hides where that goes on.
    /// </summary>
    public QueuePosition? HoleStart => Hole is { } hole ? new QueuePosition(hole.Start) : null;

    /// <summary>
    /// Where the log goes on behind the hole: at the next message that is whole, or at the log's end.
    /// <see cref="Subscription{T}.SkipCorrupt"/> goes there; a cursor does by <see cref="QueueCursor{T}.Seek"/>.
    /// </summary>
    public QueuePosition? HoleEnd => Hole is { } hole ? new QueuePosition(hole.End) : null;

    internal (long Start, long End)? Hole { get; init; }

    /// <summary>What to do about damage that a repair finds its way around.</summary>
    internal static string RepairAdvice(string directory) =>
        $"MappedQueue.Repair(\"{directory}\"), when no process has the queue open, sets aside what is damaged and goes on behind it.";

    /// <summary>The file that holds the bytes.</summary>
    public new string Path => base.Path!;

    /// <summary>Where in the file, in bytes from its start.</summary>
    public long Offset { get; }
}
