namespace BlitQueue.Bench.Measuring;

/// <summary>Rows that move the same bytes and stand in one table.</summary>
internal sealed record ScenarioGroup(string Title, IReadOnlyList<Scenario> Scenarios);
