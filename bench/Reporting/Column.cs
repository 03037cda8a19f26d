using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Reporting;

/// <summary>A column of the tables. One that is empty in all rows of a table is left out of it.</summary>
/// <param name="Title">Its head.</param>
/// <param name="Text">What a row has there; null for nothing.</param>
internal sealed record Column(string Title, Func<Row, Table, string?> Text)
{
    public static readonly IReadOnlyList<Column> All =
    [
        new("per second", static (row, _) => row.Median(Ns) is { } ns ? Figures.Number(1e9 / ns) : null),
        new(
            "GB/s",
            static (row, table) => table.MessageBytes is { } bytes && row.Median(NsOrTime) is { } ns ? Figures.Number(bytes / ns) : null),
        Time("time", static sample => sample.Time),
        Time("first time", static sample => sample.FirstTime),
        new("time, lowest to highest round", static (row, _) => TimeRange(row)),
        Figure("ns", Ns),
        Figure("steady ns", Steady),
        Figure("first ns", static sample => sample.FirstNs),
        new("ns, lowest to highest round", static (row, _) => Range(row)),
        new("x floor", static (row, table) => Ratio(row, table.Floor, NsOrTime)),
        new("x peer", static (row, table) => Ratio(row, table.Peer, NsOrTime)),
        new("steady x floor", static (row, table) => Ratio(row, table.Floor, Steady)),
        new("steady x peer", static (row, table) => Ratio(row, table.Peer, Steady)),
        Figure("B here", static sample => sample.AllocatedHere),
        Figure("B there", static sample => sample.AllocatedThere),
        Figure("messages a sync", static sample => sample.PerSync),
        Share("producers, least beside most", static sample => sample.Fairness),
        Share("consumers, least beside most", static sample => sample.ConsumerFairness),
        Figure("p50 ns", static sample => sample.Latency?.P50),
        Figure("p90 ns", static sample => sample.Latency?.P90),
        Figure("p99 ns", static sample => sample.Latency?.P99),
        Figure("p99.9 ns", static sample => sample.Latency?.P999),
        Figure("p99.99 ns", static sample => sample.Latency?.P9999),
        Figure("longest ns", static sample => sample.Latency?.Max),
        Time("longest Open", static sample => sample.LongestOpen),
        new("refused, all rounds", static (row, _) => row.Highest(static sample => sample.Refused) is null
            ? null : Figures.Of(row.Samples.Sum(static sample => sample.Refused ?? 0), Unit.Count)),
        Time("first GetStatus", static sample => sample.Status),
        Bytes("resident", static sample => sample.Resident),
        Bytes("resident, no mapped files", static sample => sample.Anonymous),
    ];

    private static double? Ns(Sample sample) => sample.Ns;

    private static double? NsOrTime(Sample sample) => sample.Ns ?? sample.Time;

    private static double? Steady(Sample sample) => sample.SteadyNs;

    private static Column Figure(string title, Func<Sample, double?> figure) =>
        new(title, (row, _) => row.Median(figure) is { } value ? Figures.Number(value) : null);

    private static Column Time(string title, Func<Sample, double?> figure) =>
        new(title, (row, _) => row.Median(figure) is { } value ? Figures.Time(value) : null);

    private static Column Share(string title, Func<Sample, double?> figure) =>
        new(title, (row, _) => row.Median(figure) is { } value ? Figures.Of(value, Unit.Share) : null);

    private static Column Bytes(string title, Func<Sample, double?> figure) =>
        new(title, (row, _) => row.Median(figure) is { } value ? Figures.Bytes(value) : null);

    private static string? TimeRange(Row row) =>
        row.Samples.Min(static sample => sample.Time) is { } least && row.Samples.Max(static sample => sample.Time) is { } most
            ? $"{Figures.Time(least)} to {Figures.Time(most)}" : null;

    private static string? Range(Row row) => row.Samples.Min(Ns) is { } least && row.Samples.Max(Ns) is { } most
        ? $"{Figures.Number(least)} to {Figures.Number(most)}" : null;

    private static string? Ratio(Row row, Row? other, Func<Sample, double?> figure) =>
        other is not null && row.RatioTo(other, figure) is { } ratio ? Figures.Number(ratio) : null;
}
