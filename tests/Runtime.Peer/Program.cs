using BlitQueue.Tests.Processes;

namespace BlitQueue.Peer;

internal static class Program
{
    /// <summary>Exit codes: 0 done, 3 the queue refused with an exception that says its kind and reason on the standard output.</summary>
    private static int Main(string[] texts)
    {
        StrictPlatform.UseIfAsked();
        try
        {
            var arguments = new Arguments(texts is ["await"] ? AwaitOrders() : texts);
            if (arguments.Command == "read")
            {
                using var reader = QueueReader<Parcel>.Open(arguments.Directory);
                Parcel? parcel = null;
                int count = 0;
                for (; reader.TryRead(ref parcel); count++)
                {
                }
                Console.WriteLine($"read {count}");
                return 0;
            }
            if (arguments.Command == "list")
            {
                Console.WriteLine($"listed {string.Join(' ', MappedQueue.List(arguments.Directory))}");
                return 0;
            }
            if (arguments.Command == "verify")
            {
                VerifyReport report = MappedQueue.Verify(arguments.Directory);
                Console.WriteLine($"found {report.Findings.Count}\n{report}");
                return 0;
            }
            if (arguments.Command == "repair")
            {
                MappedQueue.Repair(arguments.Directory);
                return 0;
            }
            if (arguments.Command == "delete")
            {
                Console.WriteLine($"deleted {MappedQueue.Delete(arguments.Directory)}");
                return 0;
            }
            if (arguments.Command == "backup")
            {
                MappedQueue.Backup(arguments.Directory, arguments.Text("target"));
                return 0;
            }
            if (arguments.Command == GoldenMaker.Command)
            {
                new GoldenMaker(arguments.Directory).Run();
            }
            if (arguments.Command.StartsWith(StoreWorker.Prefix, StringComparison.Ordinal))
            {
                using var transactions = new StoreWorker(arguments);
                transactions.Run();
                return 0;
            }
            if (arguments.Command.StartsWith(SleepWorker.Prefix, StringComparison.Ordinal))
            {
                using var trips = new SleepWorker(arguments);
                trips.Run();
                return 0;
            }
            if (arguments.Command.StartsWith(ObjectWorker.Prefix, StringComparison.Ordinal))
            {
                new ObjectWorker(arguments).Run();
                return 0;
            }
            var inputEnded = new CancellationTokenSource();
            new Thread(() => WatchInput(inputEnded)) { IsBackground = true }.Start();
            if (arguments.Command.StartsWith(SharedWorker.Prefix, StringComparison.Ordinal))
            {
                new SharedWorker(arguments, inputEnded).Run();
                return 0;
            }
            if (arguments.Command.StartsWith(RpcWorker.Prefix, StringComparison.Ordinal))
            {
                new RpcWorker(arguments, inputEnded).Run();
                return 0;
            }
            if (arguments.Command == Threads.Command)
            {
                new Threads(arguments, inputEnded).Run();
                return 0;
            }
            using var worker = new Worker(arguments, inputEnded);
            worker.Run();
            return 0;
        }
        catch (Exception exception)
        {
            Console.Out.WriteLine(
                $"{exception.GetType().Name}: "
                    + $"{exception.Message}{(exception is QueueFailedException { Outcome: var outcome } ? $" {outcome}." : "")}");
            Console.Error.WriteLine(exception);
            return 3;
        }
    }

    private static void WatchInput(CancellationTokenSource inputEnded)
    {
        while (Console.In.Read() >= 0)
        {
        }
        inputEnded.Cancel();
    }

    // A spare process: where it is to die, the sync that is to fail, and its arguments come in one line when there is need of it.
    private static string[] AwaitOrders()
    {
        if (Console.In.ReadLine()?.Split('\t') is not [var failPoint, var failSync, .. var texts])
        {
            Environment.Exit(0);
            return [];
        }
        Environment.SetEnvironmentVariable("BLITQUEUE_FAILPOINT", failPoint);
        Environment.SetEnvironmentVariable("BLITQUEUE_FAILSYNC", failSync);
        return texts;
    }
}
