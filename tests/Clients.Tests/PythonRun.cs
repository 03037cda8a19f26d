using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Clients;

/// <summary>
/// How much a run compares, from which seed, and the page docs/reliability/python.md, which says what a run has compared. CI runs the small
/// form. The variable <c>BLITQUEUE_PYTHON=full</c> asks for the full one, <c>BLITQUEUE_PYTHON_SEED</c> for another run's random values, and
/// <c>BLITQUEUE_PYTHON_RECORD=1</c> writes the page.
/// </summary>
internal static class PythonRun
{
    private const string Begin = "| compared | | both refused | seed | when, commit |\n|---|--:|--:|--:|---|\n";

    private static readonly Lock Writing = new();

    /// <summary>Whether this is the full form.</summary>
    public static bool IsFull { get; } = Environment.GetEnvironmentVariable("BLITQUEUE_PYTHON") == "full";

    private static string Page => Path.Combine(PythonReader.Root(), "docs", "reliability", "python.md");

    /// <summary>The count of this form.</summary>
    public static int Count(int small, int full) => IsFull ? full : small;

    /// <summary>The seed that was asked for; else any.</summary>
    public static int Seed() => Environment.GetEnvironmentVariable("BLITQUEUE_PYTHON_SEED") is { Length: > 0 } seed
        ? int.Parse(seed, CultureInfo.InvariantCulture)
        : Random.Shared.Next();

    /// <summary>Writes a row of the page, if that is asked for: called when all of it was compared, without a difference.</summary>
    /// <param name="what">What was compared; a row of the same is replaced.</param>
    /// <param name="count">How many.</param>
    /// <param name="refused">Of how many both said that they are damaged; null where none is.</param>
    /// <param name="seed">null where nothing is random.</param>
    public static void Record(string what, int count, int? refused = null, int? seed = null)
    {
        if (Environment.GetEnvironmentVariable("BLITQUEUE_PYTHON_RECORD") != "1")
        {
            return;
        }

        string row = string.Create(
            CultureInfo.InvariantCulture,
            $"| {what} | {count:N0} | {refused:N0} | {seed} | {DateTime.UtcNow:yyyy-MM-dd}, {Commit()} |");
        lock (Writing)
        {
            string[] parts = File.ReadAllText(Page).Split(Begin);
            string[] lines = parts[1].Split('\n');
            IEnumerable<string> rows = lines.TakeWhile(static line => line.Length > 0)
                .Where(line => !line.StartsWith($"| {what} |", StringComparison.Ordinal)).Append(row).Order(StringComparer.Ordinal);
            IEnumerable<string> rest = lines.SkipWhile(static line => line.Length > 0);
            File.WriteAllText(Page, parts[0] + Begin + string.Join('\n', [.. rows, .. rest]));
        }
    }

    private static string Commit()
    {
        using Process git = Process.Start(new ProcessStartInfo("git", "rev-parse --short HEAD")
        {
            WorkingDirectory = PythonReader.Root(),
            RedirectStandardOutput = true,
        })!;
        string output = git.StandardOutput.ReadToEnd();
        git.WaitForExit();
        return output.Trim();
    }
}
