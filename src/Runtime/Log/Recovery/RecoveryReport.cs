namespace BlitQueue;

/// <summary>What an opening or a repair of a queue found, and what became of it.</summary>
public sealed record RecoveryReport
{
    /// <summary>The directory, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>What was damaged; empty where nothing was.</summary>
    public required IReadOnlyList<RecoveryFinding> Findings { get; init; }

    /// <summary>
    /// The directories, <c>damaged-&lt;time&gt;</c>, in which files are kept as they were; empty where nothing was lost by the change.
    /// </summary>
    public required IReadOnlyList<string> SetAside { get; init; }

    /// <summary>How many messages the log holds now, consumed ones that are still on disk included; without dead letters.</summary>
    public required long MessageCount { get; init; }

    /// <summary>
    /// How long it took to read the log, to repair it and to bring that to the disk; zero where an earlier version of the library wrote the
    /// report. Of a repair of several queues: all of them together.
    /// </summary>
    public TimeSpan Duration { get; init; }

    /// <summary>Nothing was damaged.</summary>
    public bool IsSound => Findings.Count == 0;
}
