namespace BlitQueue.Platform;

/// <summary>Sleeping for systems whose kernel cannot wait on a shared word: the caller looks again every millisecond.</summary>
internal static class PollingWait
{
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(1);

    // Looking around at many words takes longer: so many for each millisecond of sleep, so that it stays a small share of a processor.
    private const int WordsPerMillisecond = 4;

    public static void Wait(TimeSpan timeout) => Thread.Sleep(timeout < Longest ? timeout : Longest);

    public static void WaitAny(int words, TimeSpan timeout)
    {
        var sleep = TimeSpan.FromMilliseconds(Math.Max(1, words / WordsPerMillisecond));
        Thread.Sleep(timeout < sleep ? timeout : sleep);
    }
}
