using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Scenarios;

/// <summary>A number of messages, however long they take.</summary>
/// <param name="name">What the table calls it.</param>
/// <param name="role">What it is for.</param>
/// <param name="count">How many, where a measurement takes a second or more.</param>
/// <param name="prepare">Gets the root and the number; returns the work that is timed.</param>
internal sealed class CountedScenario(string name, Role role, long count, Func<string, int, ICountedWork> prepare) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        int part = (int)Part(count, duration);
        using ICountedWork work = prepare(root, part);
        // What preparing left behind is not this work's to collect.
        GC.Collect();
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        work.Run();
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new Sample(part, elapsed.TotalNanoseconds / part) { AllocatedHere = (double)allocated / part };
    }
}

/// <summary>What a <see cref="CountedScenario"/> times, once.</summary>
internal interface ICountedWork : IDisposable
{
    void Run();
}
