using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Messages;
using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue.Bench.Verbs;

/// <summary>
/// What calls cost that wait and get nothing, a hundred and ten thousand: the processor's time, and the threads that sleep for them.
/// </summary>
internal static class IdleBench
{
    private const int Few = 100, Many = 10_000;
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(2), Duration = TimeSpan.FromSeconds(10);

    // Leases that stay open, so that there are some to look at.
    private static readonly List<Lease<Fixed8>> Held = [];

    public static int Run()
    {
        string root = Path.Combine("/dev/shm", $"blitqueue-idle-{Guid.NewGuid():N}");
        try
        {
            Console.WriteLine("| who waits | of one processor | waiting threads |\n|---|--:|--:|");
            foreach (int waiters in (int[])[Few, Many])
            {
                Measure($"{waiters} subscriptions of one queue", root, queues: 1, waiters, leases: false);
                Measure($"{waiters} subscriptions of one queue that has leases", root, queues: 1, waiters, leases: true);
                Measure($"{waiters} queues", root, waiters, waiters, leases: false);
                Measure($"{waiters} queues that have leases", root, waiters, waiters, leases: true);
            }
            Measure($"{Many} subscriptions of {Few} queues", root, Few, Many, leases: false);
            WaitThread.Platform = new LinuxPlatform(waitsOnMany: false);
            Thread.Sleep(TimeSpan.FromSeconds(2));
            Measure($"{Few} queues, on a kernel that cannot sleep on several words", root + "/polled", Few, Few, leases: false);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
        return 0;
    }

    private static void Measure(string what, string root, int queues, int waiters, bool leases)
    {
        var options = new QueueOptions { SegmentSize = 1 << 16 };
        MappedQueue<Fixed8>[] open = [.. Enumerable.Range(0, queues).Select(index =>
            MappedQueue<Fixed8>.Open(Path.Combine(root, $"{queues}-{waiters}-{leases}-{index}"), options))];
        if (leases)
        {
            Array.ForEach(open, Hold);
        }
        Task[] waiting = [.. Enumerable.Range(0, waiters).Select(index => Wait(open[index % queues], leases))];
        Thread.Sleep(Settling);
        using var process = Process.GetCurrentProcess();
        TimeSpan before = process.TotalProcessorTime;
        long started = Stopwatch.GetTimestamp();
        Thread.Sleep(Duration);
        process.Refresh();
        double share = (process.TotalProcessorTime - before) / Stopwatch.GetElapsedTime(started);
        Console.WriteLine($"| {what} | {share:P2} | {Threads()} |");
        Array.ForEach(open, static queue => queue.Dispose());
        Task.WhenAll(waiting).ContinueWith(static _ => { }).Wait();
    }

    // Before anybody waits, who would take it.
    private static void Hold(MappedQueue<Fixed8> queue)
    {
        queue.Enqueue(new Fixed8());
        Held.Add(queue.Subscribe("default").Receive());
    }

    private static Task Wait(MappedQueue<Fixed8> queue, bool leases)
    {
        Subscription<Fixed8> subscription = queue.Subscribe("default");
        return leases ? subscription.ReceiveAsync().AsTask() : subscription.DequeueAsync().AsTask();
    }

    // By name: the main thread has the program's, which begins like ours.
    private static int Threads() => Directory.EnumerateDirectories("/proc/self/task")
        .Count(static task => File.ReadAllText(Path.Combine(task, "comm")).TrimEnd() is WaitThread.Name or GroupCommit.ThreadName);
}

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
