namespace BlitQueue.Calls;

/// <summary>Ranges of options.</summary>
internal static class RpcLimits
{
    /// <summary>The longest request and reply, bytes.</summary>
    public const int LongestMessage = 1 << 30;

    public static void Require(int value, int least, int most, string name)
    {
        if (value < least || value > most)
        {
            throw new ArgumentOutOfRangeException(name, value, $"It must be {least} to {most}.");
        }
    }

    public static void RequireTime(TimeSpan value, string name)
    {
        if (value != Timeout.InfiniteTimeSpan && (value <= TimeSpan.Zero || value.TotalMilliseconds > int.MaxValue))
        {
            throw new ArgumentOutOfRangeException(
                name, value, "It must be longer than zero and at most 24 days, or Timeout.InfiniteTimeSpan.");
        }
    }
}
