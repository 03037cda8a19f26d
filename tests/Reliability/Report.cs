using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Reliability;

/// <summary>What a run found, for the terminal and for the page under docs/reliability.</summary>
internal static class Report
{
    private static readonly double[] Percentiles = [50, 90, 99, 99.9, 99.99];

    public static bool Succeeded(CampaignRun run) => run.Violations.Count == 0 && run.Campaign.Aims.All(run.Reached);

    public static void Print(CampaignRun run)
    {
        string counters = string.Join(
            ", ", run.Counters.Select(static counter => string.Create(CultureInfo.InvariantCulture, $"{counter.Value:N0} {counter.Key}")));
        Console.WriteLine($"{run.Campaign.Name}: {Outcome(run)} in {run.Elapsed.TotalSeconds:0} s, seed {run.Seed}: {counters}");
        foreach ((string calls, LatencyHistogram durations) in run.Durations)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"  {durations.Count:N0} {calls}: 99.9 % within {durations.Percentile(99.9) / 1000:N0} us, the longest "
                    + $"{durations.Max / 1000:N0} us"));
        }
        foreach (Aim aim in run.Campaign.Aims.Where(aim => !run.Reached(aim)))
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  fewer {aim.Counter} than the aim of {run.Target(aim):N0}"));
        }
    }

    /// <summary>Writes the page that figures elsewhere refer to.</summary>
    /// <param name="root">The repository's directory.</param>
    public static void Write(CampaignRun run, string root)
    {
        string directory = Path.Combine(root, "docs", "reliability");
        Directory.CreateDirectory(directory);
        File.WriteAllText(Path.Combine(directory, $"{run.Campaign.Name}.md"), Page(run, root));
    }

    private static string Page(CampaignRun run, string root)
    {
        var page = new StringBuilder();
        string form = run.IsLong ? "long" : "short";
        string changes = Git(root, "status --porcelain -- src tests").Length > 0 ? " with changes" : "";
        page.AppendLine(CultureInfo.InvariantCulture, $"""
            # Campaign: {run.Campaign.Name}

            {run.Campaign.Claim}

            **{run.Violations.Count:N0} violations**, {run.Elapsed.TotalMinutes:0.0} minutes, seed {run.Seed}, {form} form.

            | counted | | aim |
            |---|--:|--:|
            """);
        foreach ((string counter, long value) in run.Counters)
        {
            Aim? aim = run.Campaign.Aims.FirstOrDefault(aim => aim.Counter == counter);
            page.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {counter} | {value:N0} | {(aim is null ? "" : run.Target(aim).ToString("N0", CultureInfo.InvariantCulture))} |");
        }
        AddDurations(page, run);
        page.AppendLine(CultureInfo.InvariantCulture, $"""

            Repeat: `dotnet run -c Release --project tests/Reliability -- {form} {run.Campaign.Name} --seed {run.Seed}`

            {DateTime.UtcNow:yyyy-MM-dd}, commit {Git(root, "rev-parse --short HEAD")}{changes}; {Machine()}.
            """);
        foreach (string violation in run.Violations)
        {
            page.AppendLine(CultureInfo.InvariantCulture, $"\n    {violation}");
        }
        if (run.Log.Count > 0)
        {
            page.AppendLine(CultureInfo.InvariantCulture, $"\n## Log\n\n```text\n{string.Join('\n', run.Log)}\n```");
        }
        return page.ToString().ReplaceLineEndings("\n");
    }

    private static void AddDurations(StringBuilder page, CampaignRun run)
    {
        if (run.Durations.Count == 0)
        {
            return;
        }
        string titles = string.Join(
            " | ", Percentiles.Select(static percent => string.Create(CultureInfo.InvariantCulture, $"{percent} %")));
        page.AppendLine($"\n| in microseconds | calls | {titles} | longest |");
        page.AppendLine($"|---|--:|{string.Concat(Enumerable.Repeat("--:|", Percentiles.Length + 1))}");
        foreach ((string calls, LatencyHistogram durations) in run.Durations)
        {
            IEnumerable<long> figures = [.. Percentiles.Select(durations.Percentile), durations.Max];
            string texts = string.Join(
                " | ", figures.Select(static figure => (figure / 1000.0).ToString("N1", CultureInfo.InvariantCulture)));
            page.AppendLine($"| {calls} | {durations.Count.ToString("N0", CultureInfo.InvariantCulture)} | {texts} |");
        }
    }

    private static string Outcome(CampaignRun run) =>
        Succeeded(run) ? "passed"
            : run.Violations.Count == 0 && run.IsHindered ? "NOT RUN"
            : run.Violations.Count > 0 ? $"FAILED with {run.Violations.Count} violations"
            : "NOT FINISHED";

    private static string Machine()
    {
        string? processor = File.Exists("/proc/cpuinfo")
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(static line => line.StartsWith("model name", StringComparison.Ordinal))
            ?.Split(':')[1].Trim()
            : null;
        return $"{Environment.ProcessorCount} processors ({processor ?? RuntimeInformation.ProcessArchitecture.ToString()}), "
            + $"{RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";
    }

    private static string Git(string root, string command)
    {
        using Process git = Process.Start(new ProcessStartInfo("git", command) { WorkingDirectory = root, RedirectStandardOutput = true })!;
        string output = git.StandardOutput.ReadToEnd();
        git.WaitForExit();
        return output.Trim();
    }
}
