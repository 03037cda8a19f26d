namespace BlitQueue.Bench.Measuring;

/// <summary>Rows that do the same work and stand in one table.</summary>
internal sealed record ScenarioGroup(string Title, IReadOnlyList<Scenario> Scenarios)
{
    /// <summary>In how many rounds the rows are measured at most: fewer, where one takes long.</summary>
    public int Rounds { get; init; } = int.MaxValue;

    /// <summary>Whether its rows are measured after all others and by themselves, because of the gigabytes that they keep meanwhile.</summary>
    public bool IsApart { get; init; }

    /// <summary>Bytes of a message, where bytes a second are worth a column.</summary>
    public long? MessageBytes { get; init; }
}
