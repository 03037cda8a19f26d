namespace BlitQueue.Explorer;

/// <summary>A schedule in which something that must hold did not.</summary>
/// <param name="What">What was seen.</param>
/// <param name="Moves">The schedule.</param>
internal sealed record Finding(string What, IReadOnlyList<Move> Moves)
{
    /// <summary>The schedule as a text, which <see cref="Replay"/> takes.</summary>
    public string Schedule => string.Join(' ', Moves);
}
