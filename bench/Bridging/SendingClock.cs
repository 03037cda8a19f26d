using System.Diagnostics;

namespace BlitQueue.Bench.Bridging;

/// <summary>The time and this process's processor time from a moment on.</summary>
internal readonly struct SendingClock
{
    private readonly long _started;
    private readonly TimeSpan _used;

    private SendingClock(long started, TimeSpan used) => (_started, _used) = (started, used);

    public static SendingClock Start() => new(Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);

    public Sending Stop(int messages) => new(
        messages / Stopwatch.GetElapsedTime(_started).TotalSeconds, (Environment.CpuUsage.TotalTime - _used).TotalMicroseconds / messages);
}
