using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>All that a run gave.</summary>
internal sealed record Report(Circumstances Circumstances, IReadOnlyList<Table> Tables);
