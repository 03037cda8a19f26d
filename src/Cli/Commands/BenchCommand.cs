using System.Diagnostics;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq bench</c>: how many messages two processes of this machine exchange through a queue on this disk.</summary>
internal static class BenchCommand
{
    private const string Consumer = "consume", Ready = "ready";
    private const int StampSize = 8, MostSamples = 1 << 20;

    public static Command Make()
    {
        var directory = new Option<string?>("--directory", "-d") { Description = "Where to make the queue for it; it is deleted again." };
        var size = new Option<int>("--size") { Description = "Bytes of a message, from 8 on.", DefaultValueFactory = static _ => 64 };
        var seconds = new Option<double>("--seconds") { Description = "How long.", DefaultValueFactory = static _ => 3 };
        var rate = new Option<long?>("--rate") { Description = "Messages per second; without it as many as the consumer takes." };
        var role = new Option<string?>("--role") { Hidden = true };
        return Shared.Command(
            "bench", "Measure what two processes get through a queue: messages per second, and latency.",
            [directory, size, seconds, rate, role], result =>
            {
                string above = result.GetValue(directory) ?? Path.GetTempPath();
                return result.GetValue(role) == Consumer
                    ? Consume(above)
                    : Run(above, result.GetValue(size), Shared.Seconds(result.GetValue(seconds)), result.GetValue(rate));
            });
    }

    private static int Run(string above, int size, TimeSpan time, long? rate)
    {
        if (size is < StampSize or > 1 << 24 || rate <= 0)
        {
            throw new UsageException("A message has from 8 to 16,777,216 bytes; a rate is larger than 0.");
        }
        if (!Directory.Exists(above))
        {
            throw new QueueException($"{above} is no directory. Give one in which the queue of the measurement can be made.")
            { Reason = QueueError.NotFound, Path = above };
        }
        if (MappedQueue.Exists(above))
        {
            throw new UsageException($"{above} is a queue. Give a directory in which the queue of the measurement can be made.");
        }
        string path = Path.Combine(above, $"blitq-bench-{Environment.ProcessId.ToString(CultureInfo.InvariantCulture)}");
        try
        {
            using var queue = MappedQueue<RawMessage>.Open(path, new QueueOptions { Capacity = 64 << 20 });
            using Process consumer = Process.Start(new ProcessStartInfo(
                Environment.ProcessPath!, ["bench", "--role", Consumer, "--directory", path])
            { RedirectStandardOutput = true })!;
            if (consumer.StandardOutput.ReadLine() != Ready)
            {
                throw new IOException("The second process did not start.");
            }
            (long count, TimeSpan taken) = Produce(queue, size, time, rate);
            string latencies = consumer.StandardOutput.ReadToEnd().Trim();
            consumer.WaitForExit();
            double each = count / taken.TotalSeconds;
            Terminal.Line(string.Create(
                CultureInfo.InvariantCulture,
                $"2 processes, {size} B, page cache: {each:N0} messages/s, {each * size / (1 << 20):N1} MiB/s, {count:N0} messages"));
            Terminal.Line(latencies);
            return ExitCode.Fine;
        }
        finally
        {
            MappedQueue.Delete(path);
        }
    }

    // An empty message is the last one.
    private static (long Count, TimeSpan Taken) Produce(MappedQueue<RawMessage> queue, int size, TimeSpan time, long? rate)
    {
        byte[] message = new byte[size];
        long start = Stopwatch.GetTimestamp(), count = 0;
        TimeSpan taken;
        while ((taken = Stopwatch.GetElapsedTime(start)) < time)
        {
            if (rate is { } most && count >= taken.TotalSeconds * most)
            {
                Thread.SpinWait(50);
                continue;
            }
            BitConverter.TryWriteBytes(message, Stopwatch.GetTimestamp());
            queue.Enqueue(message);
            count++;
        }
        queue.Enqueue([]);
        return (count, taken);
    }

    private static int Consume(string path)
    {
        using var queue = MappedQueue<RawMessage>.Open(path);
        Terminal.Line(Ready);
        Terminal.Flush();
        List<long> latencies = [];
        RawMessage? message = null;
        for (long read = 0; ; read++)
        {
            queue.Dequeue(ref message);
            if (message.Bytes.IsEmpty)
            {
                break;
            }
            // A sample of the times is enough.
            if (latencies.Count < MostSamples || read % MostSamples == 0)
            {
                latencies.Add(Stopwatch.GetTimestamp() - BitConverter.ToInt64(message.Bytes));
            }
        }
        latencies.Sort();
        Terminal.Line($"  one-way us  p50 {At(latencies, 0.5)}  p90 {At(latencies, 0.9)}  p99 {At(latencies, 0.99)}  "
            + $"p99.9 {At(latencies, 0.999)}  max {At(latencies, 1)}");
        return ExitCode.Fine;
    }

    private static string At(List<long> sorted, double part)
    {
        long ticks = sorted.Count > 0 ? sorted[Math.Min((int)(part * sorted.Count), sorted.Count - 1)] : 0;
        return (ticks * 1e6 / Stopwatch.Frequency).ToString("N1", CultureInfo.InvariantCulture);
    }
}
