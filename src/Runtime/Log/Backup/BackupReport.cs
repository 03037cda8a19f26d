namespace BlitQueue;

/// <summary>What a backup has copied.</summary>
public sealed record BackupReport
{
    /// <summary>What was copied: the directory of a queue, a store or lanes, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>The copy's directory, absolute.</summary>
    public required string Target { get; init; }

    /// <summary>
    /// What was damaged in the files that were copied, as the recovery of the copy has found it, by the names that they have in the copy;
    /// empty where nothing was. What is intact is in the copy all the same.
    /// </summary>
    public required IReadOnlyList<RecoveryFinding> Damaged { get; init; }

    /// <summary>What reading all of the copy has found: how much is in it, and holes where something was damaged.</summary>
    public required VerifyReport Verified { get; init; }

    /// <summary>The same for people: what was copied where, what was damaged, and what is in the copy.</summary>
    public override string ToString()
    {
        string[] damaged = Damaged.Count == 0 ? [] : ["damaged in the source:", RecoveryFinding.TableOf(Damaged)];
        return string.Join('\n', [$"{Path} was copied to {Target}", .. damaged, Verified.ToString()]);
    }
}
