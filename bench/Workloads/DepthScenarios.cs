using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;
using BlitQueue.Memory;

namespace BlitQueue.Bench.Workloads;

/// <summary>A message in and another one out, at a depth that stays.</summary>
internal sealed class DepthScenario(string name, Role role, DeepQueue<Fixed1024> deep) : Scenario(name, role)
{
    private const int Batch = 1024;

    public override Sample Measure(TimeSpan duration, string root)
    {
        using MappedQueue<Fixed1024> queue = deep.Open();
        var sent = Fixed1024.Create(0);
        var received = Fixed1024.Create(0);
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
                Fixed1024.Check(received!);
            }
            count += Batch;
            clock.Mark();
        }
        return new Sample(count, Stopwatch.GetElapsedTime(started).TotalNanoseconds / count)
        {
            FirstNs = clock.FirstNs,
            SteadyNs = clock.MedianNs,
        };
    }

    public override void Dispose() => deep.Dispose();
}

/// <summary>
/// What a deep queue asks of the machine and nothing else: message after message copied out of one file, and as
/// many into the file that was read before.
/// </summary>
internal sealed class DeepCopyScenario(string name, Role role, DeepFiles files, int size) : Scenario(name, role)
{
    private const int Batch = 1024;

    public override Sample Measure(TimeSpan duration, string root)
    {
        byte[] sent = new byte[size], received = new byte[size];
        Pattern.Fill(sent);
        var clock = new BatchClock(Batch);
        long count = 0;
        int next = 0, offset = 0;
        MappedRegion written = files.Map(next++), read = files.Map(next++);
        long started = Stopwatch.GetTimestamp();
        clock.Start();
        while (Stopwatch.GetElapsedTime(started) < duration)
        {
            for (int i = 0; i < Batch; i++)
            {
                sent.CopyTo(written.Bytes(offset, size));
                read.Bytes(offset, size).CopyTo(received);
                Pattern.Check(received);
                offset += size;
                if (offset + size > DeepFiles.FileSize)
                {
                    written.Dispose();
                    (written, read, offset) = (read, files.Map(next++), 0);
                }
            }
            count += Batch;
            clock.Mark();
        }
        double ns = Stopwatch.GetElapsedTime(started).TotalNanoseconds / count;
        written.Dispose();
        read.Dispose();
        return new Sample(count, ns) { FirstNs = clock.FirstNs, SteadyNs = clock.MedianNs };
    }

    public override void Dispose() => files.Dispose();
}

/// <summary>
/// The only process that has a deep queue open is killed while it enqueues; then the queue is opened, and takes and gives a message.
/// </summary>
internal sealed class ReopenScenario(string name, Role role, Transport transport, DeepQueue<Fixed1024> deep) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        using (var worker = new Worker())
        {
            worker.Begin(new WorkerTask(WorkerJob.Send, transport.Name, deep.Root, TimeSpan.FromMinutes(1)));
            worker.AwaitOpened();
            worker.Go();
            Thread.Sleep(TimeSpan.FromMilliseconds(100));
            worker.Kill();
        }
        long started = Stopwatch.GetTimestamp();
        using MappedQueue<Fixed1024> queue = deep.Open();
        var sent = Fixed1024.Create(0);
        Fixed1024? received = null;
        queue.Enqueue(in sent);
        return queue.TryDequeue(ref received)
            ? new Sample(1, Stopwatch.GetElapsedTime(started).TotalNanoseconds)
            : throw new InvalidDataException("A deep queue is empty after its producer was killed.");
    }

    public override void Dispose() => deep.Dispose();
}

/// <summary>The memory of a consumer that has just started and taken one of many messages.</summary>
internal sealed class MemoryScenario(string name, Role role, Transport transport, DeepQueue<Fixed8> deep) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        using var worker = new Worker();
        worker.Begin(new WorkerTask(WorkerJob.TellMemory, transport.Name, deep.Root));
        return new Sample(1, Ns: null) { Resident = worker.AwaitResult<MemoryResult>().Resident };
    }

    public override void Dispose() => deep.Dispose();
}
