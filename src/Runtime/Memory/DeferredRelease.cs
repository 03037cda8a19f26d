namespace BlitQueue.Memory;

/// <summary>
/// Releases a gate that was closed while a thread was in a leaf call and did not run: a leaf call does not check at its end.
/// </summary>
internal static class DeferredRelease
{
    private const int LongestPause = 50;

    /// <summary>Looks at growing intervals, up to 50 ms, until no call is inside.</summary>
    public static async Task Run(CallGate gate)
    {
        for (int milliseconds = 1; !gate.TryRelease(out _); milliseconds = Math.Min(2 * milliseconds, LongestPause))
        {
            await Task.Delay(milliseconds).ConfigureAwait(false);
        }
    }
}
