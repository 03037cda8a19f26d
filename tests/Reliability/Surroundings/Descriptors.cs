using System.Globalization;
using System.Reflection;
using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Power;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>There are too few file descriptors: none, one, two and so on are left.</summary>
internal static class Descriptors
{
    // No call of a queue needs more at a time.
    private const int MostLeft = 12, Limit = 400, PoolThreads = 8, Count = 25, Large = 6000;

    public static void Run(string root)
    {
        // What the runtime itself opens for the first time is opened by now.
        Try(Path.Combine(root, "first"), MostLeft, static (_, act) => act());
        LoadAssemblies();
        StartRuntimeThreads();
        MountSpace.Run("prlimit", "--pid", Environment.ProcessId.ToString(CultureInfo.InvariantCulture), $"--nofile={Limit}:{Limit}");
        int refused = 0;
        for (int left = 0; left <= MostLeft; left++)
        {
            refused += Try(Path.Combine(root, $"queue-{left}"), left, With);
        }
        SystemWorker.Require(refused > MostLeft, $"only {refused} calls were refused: there were descriptors enough");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"calls refused for want of descriptors\t{refused}"));
    }

    // A thread of the pool opens files when it starts, and so does the thread of all timers, which starts with the first of them; where one
    // cannot, the runtime ends the process ("Out of memory."), no matter what needs the thread (docs/failures.md).
    private static void StartRuntimeThreads()
    {
        ThreadPool.SetMinThreads(PoolThreads, PoolThreads);
        ThreadPool.SetMaxThreads(PoolThreads, PoolThreads);
        using var started = new CountdownEvent(PoolThreads);
        using var over = new ManualResetEventSlim();
        Task[] all = [.. Enumerable.Range(0, PoolThreads).Select(_ => Task.Run(() =>
        {
            started.Signal();
            over.Wait();
        }))];
        started.Wait();
        over.Set();
        Task.WaitAll(all);
        Task.Delay(1).Wait();
    }

    // The runtime loads one when it first compiles a method that needs it, which may be on a path that only a refusal takes.
    private static void LoadAssemblies()
    {
        var pending = new Queue<Assembly>(AppDomain.CurrentDomain.GetAssemblies());
        var known = new HashSet<string>(StringComparer.Ordinal);
        while (pending.TryDequeue(out Assembly? assembly))
        {
            foreach (AssemblyName reference in assembly.GetReferencedAssemblies().Where(reference => known.Add(reference.FullName)))
            {
                pending.Enqueue(Assembly.Load(reference));
            }
        }
    }

    // How many calls were refused.
    private static int Try(string path, int left, Action<int, Action> with)
    {
        int refused = 0;
        var acknowledged = new List<long>();
        with(left, () => refused += Refused(() => MappedQueue<Item>.Open(path, SystemWorker.Small).Dispose()));
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        with(left, () =>
        {
            refused += Refused(() => MappedQueue<Item>.Open(path, SystemWorker.Small).Dispose());
            for (long number = 0; number < Count; number++)
            {
                int failed = Refused(() => queue.Enqueue(new Item().Fill(number, Large)));
                refused += failed;
                acknowledged.AddRange(failed == 0 ? [number] : []);
            }
            refused += Refused(() => queue.Subscribe("other").Dispose());
            refused += Refused(() => queue.DeleteSubscription("other"));
            refused += Refused(() => QueueReader<Item>.Open(path).Dispose());
            refused += Refused(() => queue.GetStatus());
        });
        SystemWorker.Fill(queue, Count, Count, Large);
        int consumed = 0;
        with(left, () => refused += Consume(queue, acknowledged, ref consumed));
        acknowledged.AddRange(Enumerable.Range(Count, Count).Select(static number => (long)number));
        foreach (long number in acknowledged.Skip(consumed))
        {
            SystemWorker.Drain(queue, number, 1);
        }
        SystemWorker.DrainAll(queue, 0, 0);
        // A thread that makes a segment ahead of need may be at it just now.
        SystemWorker.Require(
            SpinWait.SpinUntil(() => Directory.GetFiles(path, "*.new") is [], TimeSpan.FromSeconds(5)),
            $"with {left} descriptors left these stay half-made: {string.Join(", ", Directory.GetFiles(path, "*.new"))}");
        return refused;
    }

    private static int Consume(MappedQueue<Item> queue, List<long> acknowledged, ref int consumed)
    {
        int refused = 0;
        Item? item = null;
        for (int attempt = 0; attempt < Count && consumed < acknowledged.Count; attempt++)
        {
            bool found = false;
            refused += Refused(() => found = queue.TryDequeue(ref item));
            if (found)
            {
                SystemWorker.Require(item!.Number == acknowledged[consumed++] && item.IsWhole, $"message {item.Number} came out of turn");
            }
        }
        return refused;
    }

    private static void With(int left, Action act)
    {
        var taken = new Stack<SafeFileHandle>();
        try
        {
            for (; ; )
            {
                taken.Push(File.OpenHandle("/dev/null"));
            }
        }
        catch (IOException)
        {
            for (int i = 0; i < left; i++)
            {
                taken.Pop().Dispose();
            }
        }
        try
        {
            act();
        }
        finally
        {
            foreach (SafeFileHandle file in taken)
            {
                file.Dispose();
            }
        }
    }

    private static int Refused(Action act) => SystemWorker.Try(act) is null ? 0 : 1;
}
