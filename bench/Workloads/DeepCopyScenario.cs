using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Memory;

namespace BlitQueue.Bench.Depth;

/// <summary>
/// What a deep queue asks of the machine and nothing else: message after message copied out of one file, and as many into the file that was read before.
/// </summary>
internal sealed class DeepCopyScenario(string name, Role role, DeepFiles files, int size) : Scenario(name, role)
{
    private const int Batch = 1024;

    public override Sample Measure(TimeSpan duration, string place)
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
