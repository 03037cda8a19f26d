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

    public static int Run(string[] arguments)
    {
        var text = new StringBuilder();
        MarkdownReport.AppendHead(text, Circumstances.Now(arguments));
        text.Append(Sections(Rounds));
        Console.Write(text);
        if (arguments is [_, "--output", var path])
        {
            File.WriteAllText(path, text.ToString());
        }
        return 0;
    }

    /// <summary>Measures all contests.</summary>
    /// <returns>A section of a page for each.</returns>
    public static string Sections(int rounds)
    {
        var text = new StringBuilder();
        foreach (Contest contest in Contests.All())
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
        for (int i = 0; i < rounds; i++)
        {
            foreach (WorkTimes times in all)
            {
                times.Round();
            }
        }
        return all.ToDictionary(times => times.Work);
    }

    private static void Append(StringBuilder text, Contest contest, Dictionary<Work, WorkTimes> times)
    {
        text.AppendLine().AppendLine(CultureInfo.InvariantCulture, $"## {contest.Title}").AppendLine()
            .AppendLine("| what | ns | lowest ns | B allocated |").AppendLine("|---|--:|--:|--:|");
        foreach (Work work in contest.Works)
        {
            WorkTimes of = times[work];
            text.AppendLine(
                CultureInfo.InvariantCulture, $"| {work.Name} | {of.Median:#,0.0} | {of.Nanoseconds.Min():#,0.0} | {of.Allocated:#,0} |");
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
        string verdict = reached <= bar.Limit ? "held" : "MISSED";
        string what = bar switch
        {
            { Rival: null } => $"{reached:0.0} ns, at most {bar.Limit:0.0}",
            { Limit: < 0.5 } => $"{1 / reached:0.0} times as fast as {bar.Rival.Name}, at least {1 / bar.Limit:0.#}",
            _ => $"{reached:0.00} times as long as {bar.Rival.Name}, at most {bar.Limit:0.00}",
        };
        return string.Create(CultureInfo.InvariantCulture, $"- {bar.Work.Name}: {what}: {verdict}");
    }
}
