namespace BlitQueue;

/// <summary>The result of a backup.</summary>
public sealed record BackupReport
{
    /// <summary>The copied directory, that of a queue, a store or lanes, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>The copy's directory, absolute.</summary>
    public required string Target { get; init; }

    /// <summary>
    /// Damage in the copied files, as the recovery of the copy has found it, with the files' names in the copy; empty if there was none.
    /// Undamaged messages are in the copy all the same.
    /// </summary>
    public required IReadOnlyList<RecoveryFinding> Damaged { get; init; }

    /// <summary>The verification of the whole copy: how much is in it, and holes where something was damaged.</summary>
    public required VerifyReport Verified { get; init; }

    /// <summary>The same for people: what was copied where, what was damaged, and what is in the copy.</summary>
    public override string ToString()
    {
        string[] damaged = Damaged.Count == 0 ? [] : ["damaged in the source:", RecoveryFinding.TableOf(Damaged)];
        return string.Join('\n', [$"{Path} was copied to {Target}", .. damaged, Verified.ToString()]);
    }
}
