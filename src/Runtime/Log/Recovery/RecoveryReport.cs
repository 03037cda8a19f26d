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

    /// <summary>How many messages the log holds now, consumed ones that are still on disk included; without dead letters.</summary>
    public required long MessageCount { get; init; }

    /// <summary>
    /// How long it took to read the log, to repair it and to bring that to the disk; zero if an earlier version of the library wrote the
    /// report. For a repair of several queues: the sum.
    /// </summary>
    public TimeSpan Duration { get; init; }

    /// <summary>Whether nothing was damaged.</summary>
    public bool IsSound => Findings.Count == 0;

    /// <summary>The same for people: a line for the queue, a table with a line for each finding.</summary>
    public override string ToString()
    {
        string head = string.Create(
            CultureInfo.InvariantCulture,
            $"{Path}: {(IsSound ? "sound" : $"{Findings.Count:N0} findings")}, {MessageCount:N0} messages are there, in "
                + $"{Duration.TotalSeconds:0.000} s");
        string[] aside = SetAside.Count == 0 ? [] : [$"files as they were: {string.Join(", ", SetAside)}"];
        string[] found = IsSound ? [] : [RecoveryFinding.TableOf(Findings)];
        return string.Join('\n', [head, .. aside, .. found]);
    }
}
