using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Verbs;

/// <summary>
/// What a commit of many segments costs, and how long a queue that has nothing to do with it waits meanwhile to commit in the same store.
/// </summary>
internal static class LongTransactionBench
{
    private const int MessageBytes = 100_000;
    private static readonly int[] Megabytes = [8, 8, 96, 256];

    public static int Run()
    {
        Console.WriteLine(
            "| one transaction, segments of 1 MiB | commit, s | ms for each MB | longest commit of another queue meanwhile, ms |\n"
                + "|---|--:|--:|--:|");
        // The first is to warm up.
        foreach (int megabytes in Megabytes)
        {
            (double Seconds, double Longest)[] rounds = [.. Enumerable.Range(0, RoundsOf(megabytes))
                .Select(_ => Measure(megabytes)).Order()];
            (double seconds, _) = rounds[rounds.Length / 2];
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {megabytes} MB | {seconds:0.000} | {1000 * seconds / megabytes:0.00} | "
                    + $"{rounds.Max(static round => round.Longest):0.0} |"));
        }
        return 0;
    }

    // The short ones are over in a few hundredths of a second each.
    private static int RoundsOf(int megabytes) => Math.Max(5, 160 / megabytes);

    private static (double Seconds, double Longest) Measure(int megabytes)
    {
        string root = Path.Combine(Path.GetTempPath(), $"blitqueue-long-{Guid.NewGuid():N}");
        try
        {
            using var store = MappedStore.Open(root, new QueueOptions { SegmentSize = 1 << 20 });
            MappedQueue<ByteMessage> queue = store.OpenQueue<ByteMessage>("long"), other = store.OpenQueue<ByteMessage>("other");
            using QueueTransaction transaction = store.Begin();
            var message = new ByteMessage { Payload = new byte[MessageBytes] };
            for (int sent = 0; sent < megabytes * 10; sent++)
            {
                transaction.Enqueue(queue, in message);
            }
            using var over = new CancellationTokenSource();
            Task<double> meanwhile = Task.Factory.StartNew(() => LongestCommit(store, other, over.Token), TaskCreationOptions.LongRunning);
            long started = Stopwatch.GetTimestamp();
            transaction.Commit();
            double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            over.Cancel();
            return (seconds, meanwhile.Result);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static double LongestCommit(MappedStore store, MappedQueue<ByteMessage> queue, CancellationToken over)
    {
        double longest = 0;
        ByteMessage? message = new() { Payload = new byte[8] };
        while (!over.IsCancellationRequested)
        {
            long started = Stopwatch.GetTimestamp();
            using (QueueTransaction transaction = store.Begin())
            {
                transaction.Enqueue(queue, in message!);
                transaction.Commit();
            }
            longest = Math.Max(longest, Stopwatch.GetElapsedTime(started).TotalMilliseconds);
            queue.TryDequeue(ref message);
            Thread.Sleep(1);
        }
        return longest;
    }
}
