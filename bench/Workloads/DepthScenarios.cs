using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Depth;

/// <summary>A message in and another one out, at a depth that stays.</summary>
internal sealed class DepthScenario(string name, Role role, DeepQueue<Fixed1024> deep) : Scenario(name, role)
{
    private const int Batch = 1024;

    public override Sample Measure(TimeSpan duration, string place)
    {
        using MappedQueue<Fixed1024> queue = deep.Open();
        Fixed1024 sent = Fixed1024.Create(0);
        Fixed1024? received = Fixed1024.Create(0);
        var clock = new BatchClock(Batch);
        long started = Stopwatch.GetTimestamp(), count = 0;
        clock.Start();
        while (Stopwatch.GetElapsedTime(started) < duration)
        {
            for (int i = 0; i < Batch; i++)
            {
                queue.Enqueue(in sent);
                if (!queue.TryDequeue(ref received))
                {
                    throw new InvalidDataException("A deep queue is empty.");
                }
                received!.Check();
            }
            count += Batch;
            clock.Mark();
        }
        return new Sample(count, Stopwatch.GetElapsedTime(started).TotalNanoseconds / count) { FirstNs = clock.FirstNs, SteadyNs = clock.MedianNs };
    }

    public override void Dispose() => deep.Dispose();
}
