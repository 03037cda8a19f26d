using System.Xml.Linq;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Plans;
using BlitQueue.Bench.Promises;
using BlitQueue.Bench.Reporting;

namespace BlitQueue.Bench;

public sealed class ReportTests
{
    private static readonly Circumstances Somewhere = new("processor", 2, "kernel", "runtime", "revision", "command", "date");

    [Theory]
    [InlineData(9.876, "9.88 ns")]
    [InlineData(98.76, "98.8 ns")]
    [InlineData(987.6, "988 ns")]
    [InlineData(1_000, "1.00 us")]
    [InlineData(12_345_678, "12.3 ms")]
    [InlineData(2e9, "2.00 s")]
    public void A_duration_is_written_with_three_digits_and_a_unit(double nanoseconds, string text)
        => Assert.Equal(text, Figures.Time(nanoseconds));

    [Theory]
    [InlineData(30_000, "30.0 k/s")]
    [InlineData(10e6, "10.0 M/s")]
    [InlineData(750.4, "750/s")]
    public void A_rate_is_written_so_too(double count, string text) => Assert.Equal(text, Figures.PerSecond(count));

    [Fact]
    public void An_empty_column_is_left_out()
    {
        string page = MarkdownReport.Write(new Report(Somewhere, [Table("speeds", new Sample(1, 50))], []));
        Assert.Contains("| what | per second | ns | ns, lowest to highest round |", page);
        Assert.DoesNotContain("p99.9", page);
    }

    [Fact]
    public void A_table_of_latencies_has_no_rates()
    {
        string page = MarkdownReport.Write(
            new Report(Somewhere, [Table("latencies", new Sample(1, Ns: null) { Latency = new(1, 2, 3, 4, 5, 6) })], []));
        Assert.Contains("| what | p50 ns | p90 ns | p99 ns | p99.9 ns | p99.99 ns | longest ns |", page);
    }

    [Fact]
    public void A_table_of_times_has_their_units_and_no_rates()
    {
        var sample = new Sample(1, Ns: null) { Time = 2e9, LongestOpen = 3e6, Refused = 0, Status = 4e6, Anonymous = 5_000_000 };
        string page = MarkdownReport.Write(new Report(Somewhere, [Table("times", sample)], []));
        Assert.Contains(
            "| what | time | time, lowest to highest round | longest Open | refused, all rounds | first GetStatus | resident, no mapped "
                + "files |",
            page);
        Assert.Contains("| row | 2.00 s | 2.00 s to 2.00 s | 3.00 ms | 0 | 4.00 ms | 5.00 MB |", page);
    }

    [Fact]
    public void What_was_promised_stands_beside_what_was_reached()
    {
        var promise = new Promise("work", "speeds", "row", null, PromiseKind.PerSecond, 30e6);
        Table table = Table("speeds", new Sample(1, 50));
        string page = MarkdownReport.Write(new Report(Somewhere, [table], [promise.Judge([table])]));
        Assert.Contains("| work | 20.0 M/s (50.0 ns) |  |  | >= 30.0 M/s | **no** |", page);
    }

    [Fact]
    public void How_evenly_a_crowd_shares_is_a_column_and_a_bar()
    {
        var promise = new Promise("work", "crowds", "row", null, PromiseKind.AtLeast, 0.25)
        { Figure = static sample => sample.Fairness, Unit = Unit.Share };
        Table table = Table("crowds", new Sample(1, 50) { Fairness = 0.5 });
        string page = MarkdownReport.Write(new Report(Somewhere, [table], [promise.Judge([table])]));
        Assert.Contains("| work | 50 % |  |  | >= 25 % | yes |", page);
        Assert.Contains("producers, least beside most |", page);
        Assert.DoesNotContain("consumers, least beside most", page);
    }

    [Fact]
    public void The_files_of_a_run_stand_beside_each_other_and_the_drawings_are_well_formed()
    {
        DirectoryInfo directory = Directory.CreateTempSubdirectory("blitqueue-report-");
        try
        {
            Table[] tables = [Table(Titles.OneWay(8), new Sample(1, 50)),
                Table(Titles.Latency, new Sample(1, Ns: null) { Latency = new(1, 20, 300, 4e3, 5e4, 6e6) })];
            ReportFiles.Write(new Report(Somewhere, tables, []), Path.Combine(directory.FullName, "run.md"));
            Assert.Equal(
                ["run-latency.svg", "run.json", "run.md", "run.svg"],
                directory.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
            Assert.All(directory.GetFiles("*.svg"), file => Assert.Equal("svg", XDocument.Load(file.FullName).Root!.Name.LocalName));
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    [Fact]
    public void A_logarithmic_axis_has_whole_powers_at_its_ends()
    {
        var scale = new LogScale(Least: 3, Most: 250, Start: 100, Length: 300);
        Assert.Equal([1, 10, 100, 1000], scale.Ticks);
        Assert.Equal([100, 200, 300, 400], scale.Ticks.Select(scale.At));
    }

    [Fact]
    public void An_axis_of_one_value_still_has_two_ends() => Assert.Equal([100, 1000], new LogScale(100, 100, 0, 100).Ticks);

    [Fact]
    public void Arguments_that_are_none_are_refused()
    {
        Assert.Equal(
            (true, 4, 1_000L),
            BenchOptions.Parse(["--quick", "--runs", "4", "--depth", "1000"]) is var o ? (o.Quick, o.Rounds, o.Depth) : default);
        Assert.Equal(
            [500_000_000, 20, 7],
            new string[][] { ["--quick"], [], ["--depth", "7"] }.Select(given => BenchOptions.Parse(given, 20).Depth));
        Assert.All(new string[][] { ["--runs", "0"], ["--runs"], ["--depth", "-1"], ["quick"] },
            arguments => Assert.Throws<ArgumentException>(() => BenchOptions.Parse(arguments)));
    }

    private static Table Table(string title, Sample sample)
    {
        var row = new Row("row", Role.Queue);
        row.Samples.Add(sample);
        return new Table(title, MessageBytes: null, [row]);
    }
}
