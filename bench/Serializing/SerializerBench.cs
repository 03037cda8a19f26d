using System.Diagnostics;
using System.Globalization;
using System.Text;
using BlitQueue.Bench.Measuring;
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

/// <summary>One work's nanoseconds, a figure for each round, and what it allocates.</summary>
internal sealed class WorkTimes(Work work)
{
    // Long enough for the clock, short enough that what disturbs one work of a round disturbs its neighbours too.
    private static readonly TimeSpan BatchTime = TimeSpan.FromMilliseconds(4);

    // What makes large objects spends nearly all of its time in collections, of which few would fall into so short a time.
    private static readonly TimeSpan LargeBatchTime = TimeSpan.FromMilliseconds(50);
    private const double LargeObject = 85_000;

    private static readonly TimeSpan JitTime = TimeSpan.FromSeconds(1);

    private const int WarmUpTimes = 16;

    private int _times = 1;

    public Work Work => work;

    public List<double> Nanoseconds { get; } = [];

    public double Allocated { get; private set; }

    /// <summary>How many collections there were in all rounds.</summary>
    public int Collections { get; private set; }

    public double Median => Statistics.Median(Nanoseconds);

    /// <summary>Repeats as often as another does: what the collector takes depends on what was allocated since the last time.</summary>
    public void RepeatAsOftenAs(WorkTimes other) => _times = other._times = Math.Max(_times, other._times);

    /// <summary>Runs until the JIT has done its best, and finds out how often fills a batch.</summary>
    public void WarmUp()
    {
        // The JIT counts calls before it optimizes, does so on a thread of its own, and does it twice.
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < JitTime)
        {
            work.Repeat(WarmUpTimes);
        }
        long before = GC.GetAllocatedBytesForCurrentThread();
        work.Repeat(WarmUpTimes);
        Allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)WarmUpTimes;
        while (Once() < (Allocated < LargeObject ? BatchTime : LargeBatchTime))
        {
            _times *= 2;
        }
    }

    public void Round()
    {
        int before = GC.CollectionCount(0);
        Nanoseconds.Add(Once().TotalNanoseconds / _times);
        Collections += GC.CollectionCount(0) - before;
    }

    /// <summary>The median of the rounds' ratios: what slows one round down slows both.</summary>
    public double RatioTo(WorkTimes other) => Statistics.Median(Nanoseconds.Zip(other.Nanoseconds, (mine, theirs) => mine / theirs));

    private TimeSpan Once()
    {
        TimeSpan before = ProcessorClock.Spent();
        work.Repeat(_times);
        return ProcessorClock.Spent() - before;
    }
}
