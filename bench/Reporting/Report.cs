using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Reporting;

/// <summary>All that a run gave.</summary>
/// <param name="Circumstances">What the figures are to be read with.</param>
/// <param name="Tables">The rows.</param>
/// <param name="Judgements">The promises that the run says something of.</param>
internal sealed record Report(Circumstances Circumstances, IReadOnlyList<Table> Tables, IReadOnlyList<Judgement> Judgements)
{
    /// <summary>Sections about packing alone, as Markdown; empty where it was not measured.</summary>
    public string Packing { get; init; } = "";
}
