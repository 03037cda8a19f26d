namespace BlitQueue.Platform;

/// <summary>Sleeping for systems whose kernel cannot wait on a shared word: the caller looks again every millisecond.</summary>
internal static class PollingWait
{
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(1);

    public static void Wait(TimeSpan timeout) => Thread.Sleep(timeout < Longest ? timeout : Longest);
}
