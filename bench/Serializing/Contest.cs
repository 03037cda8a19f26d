namespace BlitQueue.Bench.Serializing;

/// <summary>Works on the same data, and what is promised of them.</summary>
/// <param name="Title">The data.</param>
/// <param name="Works">In the table's order.</param>
/// <param name="Bars">The promises.</param>
internal sealed record Contest(string Title, IReadOnlyList<Work> Works, IReadOnlyList<Bar> Bars);
