using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Checker;

/// <summary>
/// When a call began, and when it had ended, in ticks of the monotonic clock that all processes of a
/// machine share; zeros where no log says so.
/// </summary>
public readonly record struct Times(long Began, long Ended)
{
    public static bool TryParse(ReadOnlySpan<char> began, ReadOnlySpan<char> ended, out Times times)
    {
        bool parsed = long.TryParse(began, NumberStyles.None, CultureInfo.InvariantCulture, out long first)
            & long.TryParse(ended, NumberStyles.None, CultureInfo.InvariantCulture, out long last);
        times = new Times(first, last);
        return parsed;
    }

    public static double Milliseconds(long ticks) => ticks * 1000.0 / Stopwatch.Frequency;

    public static long OfMilliseconds(long milliseconds) => milliseconds * Stopwatch.Frequency / 1000;

    public bool Overlaps(Times other) => Began <= other.Ended && other.Began <= Ended;
}
