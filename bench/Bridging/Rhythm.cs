using System.Globalization;

namespace BlitQueue.Bench.Bridging;

/// <summary>How messages come: so many at once, then a pause.</summary>
internal sealed record Rhythm(int Burst, int PauseMilliseconds, int Bursts)
{
    public TimeSpan Pause => TimeSpan.FromMilliseconds(PauseMilliseconds);

    /// <summary>A rhythm that goes on until the process ends.</summary>
    public static Rhythm Parse(string burst, string milliseconds) =>
        new(int.Parse(burst, CultureInfo.InvariantCulture), int.Parse(milliseconds, CultureInfo.InvariantCulture), int.MaxValue);
}
