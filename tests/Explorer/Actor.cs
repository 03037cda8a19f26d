namespace BlitQueue.Explorer;

/// <summary>A simulated process.</summary>
/// <param name="Name">One word.</param>
/// <param name="Steps">What it does, one after the other; each begins with new objects, as a process that opens the queue anew.</param>
/// <param name="IsMortal">Whether the scheduler may kill or stop it.</param>
internal sealed record Actor(string Name, IReadOnlyList<Action<Seat>> Steps, bool IsMortal = false)
{
    /// <summary>The number of the process whose second thread it is; null for a process of its own.</summary>
    public int? ThreadOf { get; init; }

    /// <summary>
    /// The number of an actor that does the same in the same process. Which of the two begins makes no
    /// difference, so this one begins second.
    /// </summary>
    public int? TwinOf { get; init; }

    /// <summary>Whether its system lets it fence other processes; otherwise it fences itself, also where it wakes.</summary>
    public bool HasHeavyFence { get; init; } = true;

    /// <summary>Whether it begins when all others are through or dead, long after.</summary>
    public bool ComesLast { get; init; }
}
