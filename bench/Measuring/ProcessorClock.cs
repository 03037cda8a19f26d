using System.Diagnostics;

namespace BlitQueue.Bench.Measuring;

/// <summary>
/// The processors' time, of all threads of this process: what else the machine does is not in it, but what the garbage costs is.
/// </summary>
internal static class ProcessorClock
{
    /// <summary>What was spent so far, from some beginning.</summary>
    // Windows counts it in clock ticks, each longer than what is measured.
    public static TimeSpan Spent() => OperatingSystem.IsWindows() ? Stopwatch.GetElapsedTime(0) : Environment.CpuUsage.TotalTime;
}
