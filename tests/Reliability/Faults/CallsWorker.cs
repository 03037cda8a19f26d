using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Faults;

/// <summary>
/// The process in which calls fail: for each scenario and each kind of call the first, the second, and so on, until none is left to fail.
/// </summary>
internal sealed class CallsWorker : IDisposable
{
    private readonly string _root = ScratchDirectory.Make("calls");

    /// <param name="arguments">Seed, number of the first scenario, distance to the next, and 1 where pairs of failures follow.</param>
    public static int Run(string[] arguments)
    {
        int[] numbers = [.. arguments.Select(int.Parse)];
        SystemCalls.Use();
        SystemCalls.PretendDisk();
        using var worker = new CallsWorker();
        Task<string> ended = Task.Run(Console.In.ReadToEnd);
        var random = new Random(numbers[0]);
        IReadOnlyList<FaultPlan> plans = numbers[3] == 1 ? FaultPlan.All : FaultPlan.Some(random);
        for (int scenario = numbers[1]; scenario < Scenario.All.Count && !ended.IsCompleted; scenario += numbers[2])
        {
            foreach (FaultPlan plan in plans)
            {
                // Who has had nothing succeed from the second call on is told little more by the third; the long form asks for all.
                int most = plan.ForGood && numbers[3] == 0 ? 2 : int.MaxValue;
                for (int nth = 1; nth <= most && !ended.IsCompleted && worker.Try(Scenario.All[scenario], plan, nth, secondNth: 0); nth++)
                {
                }
            }
            Console.WriteLine("scenarios\t1");
        }
        random = new Random(numbers[0] + numbers[1]);
        while (numbers[3] == 1 && !ended.IsCompleted)
        {
            worker.Try(
                Scenario.All[random.Next(Scenario.All.Count)], FaultPlan.All[random.Next(FaultPlan.All.Count)], random.Next(1, 12),
                random.Next(1, 12));
        }
        return 0;
    }

    // With a second number, the queue is opened while calls of the same kind fail again, before it is looked at.
    private bool Try(Scenario scenario, FaultPlan plan, int nth, int secondNth)
    {
        string root = Fresh();
        var books = new FaultLedger();
        int failed = 0;
        try
        {
            scenario.Prepare(root, books);
            SystemCalls.Root(root);
            failed = Fail(plan, nth, () => scenario.Act(root, books), books);
            Compare(scenario, plan, failed, books);
            if (secondNth > 0)
            {
                failed += Fail(
                    plan, secondNth,
                    () => MappedQueue<Power.Item>.Open(Path.Combine(root, "a"), new QueueOptions { SegmentSize = 1 << 16 }).Dispose(),
                    books);
            }
            books.Verify(root);
        }
        catch (Exception exception)
        {
            Violate(
                scenario, plan, nth, secondNth,
                $"cannot be opened afterwards: {string.Join(" | ", exception.ToString().ReplaceLineEndings("\n").Split('\n').Take(7))}");
        }
        foreach (string fault in books.Faults.Take(1))
        {
            Violate(scenario, plan, nth, secondNth, fault);
        }
        Console.WriteLine($"calls\t{failed}");
        return failed > 0;
    }

    // What must be told, and what must not.
    private static void Compare(Scenario scenario, FaultPlan plan, int failed, FaultLedger books)
    {
        if (plan.IsInterruption && books.Refusals > 0)
        {
            books.Blame("an interrupted call was not repeated");
        }
        if (failed > 0 && plan.Call == Call.SyncMemory && scenario.Name == "commit" && books.Refusals == 0)
        {
            books.Blame("what could not be synced was called durable");
        }
    }

    private static int Fail(FaultPlan plan, int nth, Action act, FaultLedger books)
    {
        SystemCalls.Fail((int)plan.Call, nth, plan.Error, plan.ForGood ? 1 : 0);
        try
        {
            act();
        }
        catch (Exception exception)
        {
            books.Judge(exception);
        }
        // Disarming begins a new count.
        int failed = SystemCalls.Failed();
        SystemCalls.Fail(-1, 0, 0, 0);
        return failed;
    }

    private static void Violate(Scenario scenario, FaultPlan plan, int nth, int secondNth, string what) => Console.WriteLine(
        $"violation {scenario.Name}, {plan}, call {nth}{(secondNth > 0 ? $" and {secondNth} of the next opening" : "")}: "
            + $"{what.ReplaceLineEndings(" | ")}");

    private string Fresh()
    {
        string path = Path.Combine(_root, "root");
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }
        return Directory.CreateDirectory(path).FullName;
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);
}
