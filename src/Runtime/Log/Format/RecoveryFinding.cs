using BlitQueue.Log;

namespace BlitQueue;

/// <summary>One thing that an opening or a repair found, and what became of it.</summary>
/// <param name="File">The file, absolute.</param>
/// <param name="Offset">Where in the file, bytes from its start.</param>
/// <param name="Bytes">How many bytes are no part of the queue any more; 0 if none are, or if it is not known.</param>
/// <param name="What">What was found, and what was done.</param>
public sealed record RecoveryFinding(string File, long Offset, long Bytes, string What)
{
    /// <summary>Where in the log; null if the finding is not about the log.</summary>
    public QueuePosition? Position { get; init; }

    /// <summary>How many whole messages are among the bytes; only the files that were set aside contain them.</summary>
    public long MessageCount { get; init; }

    /// <summary>The same for people, in one line.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{File} at {Offset}: {What}");

    /// <summary>Several for people: a table with a line for each.</summary>
    internal static string TableOf(IEnumerable<RecoveryFinding> findings)
    {
        var table = new TextTable("file", "offset", "bytes", "position", "messages", "what") { TextFrom = 5 };
        foreach (RecoveryFinding one in findings)
        {
            table.Add(Path.GetFileName(one.File), one.Offset, one.Bytes, one.Position?.Value, one.MessageCount, one.What);
        }
        return table.ToString();
    }
}
