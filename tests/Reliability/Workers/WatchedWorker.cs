using System.Globalization;

namespace BlitQueue.Reliability.Workers;

/// <summary>The worker process: makes the trials that its standard input names, and says on its standard output how far it is.</summary>
/// <remarks>
/// A line of input is "first count". A line of output begins with "@t" (a trial begins), "@c" (a counter has grown), "@v" (a violation) or
/// "@d" (the trials that were asked for are done); others are for people.
/// </remarks>
internal static class WatchedWorker
{
    public const string Command = "worker";

    public static int Run(IWatchedCampaign campaign, int seed)
    {
        var output = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true };
        Console.SetOut(TextWriter.Synchronized(output));
        int told = 0;
        while (Console.In.ReadLine() is { } line)
        {
            long[] range = [.. line.Split(' ').Select(static number => long.Parse(number, CultureInfo.InvariantCulture))];
            var run = new CampaignRun(campaign, isLong: false, seed, Timeout.InfiniteTimeSpan);
            told = 0;
            for (long part = range[0]; part < range[0] + range[1]; part++)
            {
                Console.WriteLine($"@t {part}");
                Try(campaign, run, part);
                for (; told < run.Violations.Count; told++)
                {
                    Console.WriteLine($"@v {run.Violations[told].ReplaceLineEndings(" | ")}");
                }
            }
            foreach ((string counter, long value) in run.Counters)
            {
                Console.WriteLine($"@c {value} {counter}");
            }
            Console.WriteLine("@d");
        }
        return 0;
    }

    private static void Try(IWatchedCampaign campaign, CampaignRun run, long part)
    {
        try
        {
            campaign.Try(run, part);
        }
        catch (Exception exception)
        {
            run.Violate($"trial {part}: {exception}");
        }
    }
}
