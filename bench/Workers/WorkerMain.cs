using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Workers;

/// <summary>Another process, from inside: a task a line, until the input ends. An empty line says go.</summary>
internal static class WorkerMain
{
    private static readonly SemaphoreSlim Go = new(0);

    /// <param name="isBare">Whether the library is to leave its instruments out.</param>
    public static int Run(bool isBare)
    {
        // Before anything of the library is used.
        AppContext.SetSwitch("BlitQueue.Instruments.IsSupported", !isBare);
        using var tasks = new BlockingCollection<WorkerTask>();
        new Thread(() => ReadTasks(tasks)) { IsBackground = true }.Start();
        foreach (WorkerTask task in tasks.GetConsumingEnumerable())
        {
            object result = task.Job == WorkerJob.Pair ? Pair(task) : Do(task, SayOpened, AwaitGo);
            Console.WriteLine(JsonSerializer.Serialize(result));
        }
        return 0;
    }

    private static Sample Pair(WorkerTask task)
    {
        using var pair = new PairScenario<Fixed64Ends>(nameof(WorkerJob.Pair), Role.Queue, static path => new Fixed64Ends(path));
        return pair.Measure(task.Duration, task.Root);
    }

    /// <summary>Does one end's work, here.</summary>
    /// <param name="task">What.</param>
    /// <param name="opened">Called when the end is open.</param>
    /// <param name="awaitGo">Returns when a sender, which has said that it is open, may begin.</param>
    public static object Do(WorkerTask task, Action opened, Action awaitGo)
    {
        Transport transport = TransportList.Get(task.Transport);
        return task.Job switch
        {
            WorkerJob.Receive => transport.Receive(task.Root, opened),
            WorkerJob.Answer => transport.Answer(task.Root, opened),
            WorkerJob.Clock => transport.Clock(task.Root, opened),
            WorkerJob.Send => transport.Send(task.Root, task.Duration, () =>
            {
                opened();
                awaitGo();
            }),
            WorkerJob.TellMemory => new MemoryResult(transport.WithFirst(task.Root, Resident)),
            _ => throw new ArgumentOutOfRangeException(nameof(task), task.Job, "No such job."),
        };
    }

    // A thread of its own: the first process may end while this one waits, or spins, for its next message.
    private static void ReadTasks(BlockingCollection<WorkerTask> tasks)
    {
        while (Console.ReadLine() is { } line)
        {
            if (line.Length == 0)
            {
                Go.Release();
            }
            else
            {
                tasks.Add(JsonSerializer.Deserialize<WorkerTask>(line)!);
            }
        }
        Environment.Exit(0);
    }

    private static void SayOpened() => Console.WriteLine("opened");

    private static void AwaitGo() => Go.Wait();

    private static long Resident()
    {
        GC.Collect();
        using var self = Process.GetCurrentProcess();
        return self.WorkingSet64;
    }
}
