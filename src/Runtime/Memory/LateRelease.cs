namespace BlitQueue.Memory;

/// <summary>Releases a gate that was closed while calls were inside. Some of them end without a look at whether it was.</summary>
internal static class LateRelease
{
    private const int LongestPause = 50;

    /// <summary>Looks at growing intervals, up to 50 ms, until no call is inside.</summary>
    public static async Task Run(CallGate gate)
    {
        for (int milliseconds = 1; !gate.IsReleased; milliseconds = Math.Min(2 * milliseconds, LongestPause))
        {
            await Task.Delay(milliseconds).ConfigureAwait(false);
            gate.ReleaseIfEmpty();
        }
    }
}
