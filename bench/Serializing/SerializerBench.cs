using System.Globalization;
using System.Text;
using BlitQueue.Bench.Reporting;

namespace BlitQueue.Bench.Serializing;

/// <summary>Packing beside what it is promised to keep up with, in rounds that time every work once.</summary>
internal static class SerializerBench
{
    /// <summary>How often each work is timed where that is all that is measured.</summary>
    public const int Rounds = 101;

    /// <summary>For a look.</summary>
    public const int QuickRounds = 11;

    // Works that take about as long are repeated equally often.
    private const double ComparableFrom = 0.5;

    public static int Run(string[] arguments)
    {
        var text = new StringBuilder();
        MarkdownReport.AppendHead(text, Circumstances.Now(arguments));
        text.Append(Sections(Rounds, ValueOf(arguments, "--only") ?? ""));
        Console.Write(text);
        if (ValueOf(arguments, "--output") is { } path)
        {
            File.WriteAllText(path, text.ToString());
        }
        return 0;
    }

    private static string? ValueOf(string[] arguments, string option) =>
        Array.IndexOf(arguments, option) is > 0 and int at && at + 1 < arguments.Length ? arguments[at + 1] : null;

    /// <summary>Measures all contests whose titles contain the text.</summary>
    /// <returns>A section of a page for each.</returns>
    public static string Sections(int rounds, string only = "")
    {
        var text = new StringBuilder();
        foreach (Contest contest in Contests.All().Where(contest => contest.Title.Contains(only, StringComparison.Ordinal)))
        {
            Append(text, contest, Time(contest, rounds));
        }
        return text.ToString();
    }

    private static Dictionary<Work, WorkTimes> Time(Contest contest, int rounds)
    {
        WorkTimes[] all = [.. contest.Works.Select(work => new WorkTimes(work))];
        foreach (WorkTimes times in all)
        {
            times.WarmUp();
        }
        Dictionary<Work, WorkTimes> byWork = all.ToDictionary(times => times.Work);
        foreach (Bar bar in contest.Bars)
        {
            if (bar is { Rival: { } rival, Limit: >= ComparableFrom })
            {
                byWork[bar.Work].RepeatAsOftenAs(byWork[rival]);
            }
        }
        // In another order each time: a collection that one work's garbage has brought about falls into any other's figure.
        WorkTimes[] round = [.. all];
        var random = new Random(rounds);
        for (int i = 0; i < rounds; i++)
        {
            random.Shuffle(round);
            foreach (WorkTimes times in round)
            {
                times.Round();
            }
        }
        return byWork;
    }

    private static void Append(StringBuilder text, Contest contest, Dictionary<Work, WorkTimes> times)
    {
        text.AppendLine().AppendLine(CultureInfo.InvariantCulture, $"## {contest.Title}").AppendLine()
            .AppendLine("| what | ns | lowest ns | B allocated | collections |").AppendLine("|---|--:|--:|--:|--:|");
        foreach (Work work in contest.Works)
        {
            WorkTimes of = times[work];
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {work.Name} | {of.Median:#,0.0} | {of.Nanoseconds.Min():#,0.0} | {of.Allocated:#,0} | {of.Collections} |");
        }
        text.AppendLine();
        foreach (Bar bar in contest.Bars)
        {
            text.AppendLine(Line(bar, times));
        }
    }

    private static string Line(Bar bar, Dictionary<Work, WorkTimes> times)
    {
        WorkTimes mine = times[bar.Work];
        double reached = bar.Rival is null ? mine.Median : mine.RatioTo(times[bar.Rival]);
        string verdict = reached <= bar.Limit ? "met" : "MISSED";
        string what = bar switch
        {
            { Rival: null } => $"{reached:0.0} ns, at most {bar.Limit:0.0}",
            { Limit: < 0.5 } => $"{1 / reached:0.0} times as fast as {bar.Rival.Name}, at least {1 / bar.Limit:0.#}",
            _ => $"{reached:0.00} times as long as {bar.Rival.Name}, at most {bar.Limit:0.00}",
        };
        return string.Create(CultureInfo.InvariantCulture, $"- {bar.Work.Name}: {what}: {verdict}");
    }
}
