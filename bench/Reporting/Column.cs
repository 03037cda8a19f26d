using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Reporting;

/// <summary>A column of the tables. One that is empty in all rows of a table is left out of it.</summary>
/// <param name="Title">Its head.</param>
/// <param name="Text">What a row has there; null for nothing.</param>
internal sealed record Column(string Title, Func<Row, Table, string?> Text)
{
    public static readonly IReadOnlyList<Column> All =
    [
        new("per second", static (row, _) => row.Median(Ns) is { } ns ? Figures.Plain(1e9 / ns) : null),
        new("GB/s", static (row, table) => table.MessageBytes is { } bytes && row.Median(Ns) is { } ns ? Figures.Plain(bytes / ns) : null),
        Figure("ns", Ns),
        Figure("steady ns", Steady),
        Figure("first ns", static sample => sample.FirstNs),
        new("ns, lowest to highest round", static (row, _) => Range(row)),
        new("x floor", static (row, table) => Ratio(row, table.Floor, Ns)),
        new("x peer", static (row, table) => Ratio(row, table.Peer, Ns)),
        new("steady x floor", static (row, table) => Ratio(row, table.Floor, Steady)),
        new("steady x peer", static (row, table) => Ratio(row, table.Peer, Steady)),
        Figure("B here", static sample => sample.AllocatedHere),
        Figure("B there", static sample => sample.AllocatedThere),
        Figure("messages a sync", static sample => sample.PerSync),
        Figure("p50 ns", static sample => sample.Latency?.P50),
        Figure("p90 ns", static sample => sample.Latency?.P90),
        Figure("p99 ns", static sample => sample.Latency?.P99),
        Figure("p99.9 ns", static sample => sample.Latency?.P999),
        Figure("p99.99 ns", static sample => sample.Latency?.P9999),
        Figure("longest ns", static sample => sample.Latency?.Max),
        new("resident", static (row, _) => row.Median(static sample => sample.Resident) is { } bytes ? Figures.Bytes(bytes) : null),
    ];

    private static double? Ns(Sample sample) => sample.Ns;

    private static double? Steady(Sample sample) => sample.SteadyNs;

    private static Column Figure(string title, Func<Sample, double?> figure) =>
        new(title, (row, _) => row.Median(figure) is { } value ? Figures.Plain(value) : null);

    private static string? Range(Row row) => row.Samples.Min(Ns) is { } least && row.Samples.Max(Ns) is { } most
        ? $"{Figures.Plain(least)} to {Figures.Plain(most)}" : null;

    private static string? Ratio(Row row, Row? other, Func<Sample, double?> figure) =>
        other is not null && row.RatioTo(other, figure) is { } ratio ? Figures.Plain(ratio) : null;
}
