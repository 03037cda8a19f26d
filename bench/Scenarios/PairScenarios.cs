using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>One message in, the same message out, on one thread.</summary>
internal sealed class PairScenario<TPair>(string name, Role role, Func<string, TPair> open) : Scenario(name, role)
    where TPair : struct, IPair
{
    /// <summary>Messages for each look at the clock: fewer, where each takes long.</summary>
    public int BatchSize { get; init; } = 8192;

    public override Sample Measure(TimeSpan duration, string root)
    {
        TPair pair = open(root);
        try
        {
            return Run(ref pair, duration);
        }
        finally
        {
            pair.Dispose();
        }
    }

    private Sample Run(ref TPair pair, TimeSpan duration)
    {
        // A local, so that its parts are in registers, as a queue is in the loop of a user.
        TPair own = pair;
        var clock = new BatchClock(BatchSize);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        long number = 0;
        clock.Start();
        do
        {
            // Not in a method of its own: how much the JIT inlines grows with the size of the method that it begins with.
            for (int i = 0; i < BatchSize; i++)
            {
                Numbers.Expect(own.Deliver(number), number);
                number++;
            }
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new Sample(number, elapsed.TotalNanoseconds / number)
        {
            FirstNs = clock.FirstNs,
            SteadyNs = clock.MedianNs,
            AllocatedHere = (double)allocated / number,
        };
    }
}

/// <summary>
/// Something that a message goes into and comes out of on one thread. Structs implement it, so that the loop is compiled for each.
/// </summary>
internal interface IPair : IDisposable
{
    /// <summary>Passes a message through.</summary>
    /// <returns>The number of what came out.</returns>
    /// <exception cref="InvalidDataException">What came out is not whole.</exception>
    long Deliver(long number);
}

/// <summary>
/// One message of 64 bytes in, the same message out, on one thread of a process of its own, in which the library may have no instruments.
/// </summary>
internal sealed class PairElsewhereScenario(string name, Role role, bool isBare) : Scenario(name, role)
{
    private Worker? _worker;

    public override Sample Measure(TimeSpan duration, string root)
    {
        _worker ??= new Worker(isBare);
        _worker.Begin(new WorkerTask(WorkerJob.Pair, Transport: "", root, duration));
        return _worker.AwaitResult<Sample>();
    }

    public override void Dispose() => _worker?.Dispose();
}
