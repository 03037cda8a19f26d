namespace BlitQueue;

/// <summary>What an opening or a repair of a queue found and did.</summary>
public sealed record RecoveryReport
{
    /// <summary>The directory, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>What was damaged; empty if nothing was.</summary>
    public required IReadOnlyList<RecoveryFinding> Findings { get; init; }

    /// <summary>
    /// The directories, <c>damaged-&lt;time&gt;</c>, in which files are kept as they were; empty if the changes lost nothing.
    /// </summary>
    public required IReadOnlyList<string> SetAside { get; init; }

    /// <summary>How many messages the log has now, consumed ones that are still on disk included; without dead letters.</summary>
    public required long Messages { get; init; }

    /// <summary>
    /// How long it took to read the log, to repair it and to bring that to the disk; zero if an earlier version of the library wrote the
    /// report. For a repair of several queues: the sum.
    /// </summary>
    public TimeSpan Duration { get; init; }

    /// <summary>Whether nothing was damaged.</summary>
    public bool IsSound => Findings.Count == 0;
}
