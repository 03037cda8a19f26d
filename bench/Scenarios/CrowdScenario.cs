using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>
/// Many produce as fast as they can, each for the same time, and as many consume, or none does: how many messages pass, and how evenly
/// they are distributed.
/// </summary>
/// <param name="name">What the table calls it.</param>
/// <param name="size">How many produce.</param>
/// <param name="isConsumed">Whether as many consume.</param>
/// <param name="workers">The processes; null where threads of this one do all.</param>
internal sealed class CrowdScenario(string name, int size, bool isConsumed, WorkerSet? workers) : Scenario(name, Role.Queue)
{
    // In a crowd each one's slot comes once in so many milliseconds: of more than this number a round takes longer, so that each has as
    // many slots.
    private const int SizeOfDuration = 32;

    // As long as the runtime takes to see which code is worth its second compilation, and to compile it.
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(500);

    // What each process has done already: its job, and whether its messages were consumed.
    private static readonly HashSet<(Worker Worker, WorkerJob Job, bool IsConsumed)> Warm = [];

    public override Sample Measure(TimeSpan duration, string root)
    {
        WarmAll(Path.Combine(root, "warm"));
        int[] producers = [.. Enumerable.Range(0, size)], consumers = isConsumed ? [.. Enumerable.Range(size, size)] : [];
        return Measure(duration * Math.Max(1, size / SizeOfDuration), Path.Combine(root, "crowd"), producers, consumers);
    }

    // A process of a crowd gets so little of a processor that its code would not be compiled as in a process that works for some seconds:
    // so each does the same in a queue that no more than two use, before it is one of many.
    private void WarmAll(string root)
    {
        foreach (int[] pair in isConsumed ? Enumerable.Range(0, size).Select(index => new[] { index, size + index })
            : Enumerable.Range(0, size).Chunk(2))
        {
            int producers = isConsumed ? 1 : pair.Length;
            if (workers is not null && pair.Where((worker, index) => Warm.Add(
                (workers[worker], index < producers ? WorkerJob.Send : WorkerJob.Receive, isConsumed))).Any())
            {
                Measure(WarmUp, root, pair[..producers], pair[producers..]);
            }
        }
    }

    /// <param name="duration">How long each produces.</param>
    /// <param name="root">Where.</param>
    /// <param name="producing">Which processes produce.</param>
    /// <param name="consuming">Which ones consume.</param>
    private Sample Measure(TimeSpan duration, string root, int[] producing, int[] consuming)
    {
        // This process makes the queue, and tells the consumers when all is sent.
        Directory.CreateDirectory(root);
        string path = Transport.There(root);
        MappedQueue<Fixed8> queue = CrowdQueue.Rent(path, TransportList.OptionsOfCrowd(isConsumed));
        try
        {
            return Measure(duration, root, producing, consuming, queue);
        }
        finally
        {
            CrowdQueue.Return(path);
            Directory.Delete(root, recursive: true);
        }
    }

    private Sample Measure(TimeSpan duration, string root, int[] producing, int[] consuming, MappedQueue<Fixed8> queue)
    {
        Member<ReceiveResult>[] consumers = Begin<ReceiveResult>(WorkerJob.Receive, consuming, root, duration);
        Member<SendResult>[] producers = Begin<SendResult>(WorkerJob.Send, producing, root, duration);
        Array.ForEach(producers, static producer => producer.Go());
        SendResult[] sent = [.. producers.Select(static producer => producer.AwaitResult())];
        Array.ForEach(consumers, _ => queue.Enqueue(new Fixed8 { Number = Numbers.End }));
        ReceiveResult[] received = [.. consumers.Select(static consumer => consumer.AwaitResult())];
        long messages = sent.Sum(static result => result.Messages), ended = sent.Max(static result => result.Ended);
        if (isConsumed)
        {
            Numbers.Expect(received.Sum(static result => result.Messages), messages);
            ended = received.Max(static result => result.Ended);
        }
        double elapsed = Stopwatch.GetElapsedTime(sent.Min(static result => result.Started), ended).TotalNanoseconds;
        return new Sample(messages, elapsed / messages)
        {
            Fairness = Fairness(sent.Select(static result => result.Messages)),
            ConsumerFairness = Fairness(received.Select(static result => result.Messages)),
        };
    }

    // All have opened their end when this returns.
    private Member<TResult>[] Begin<TResult>(WorkerJob job, int[] members, string root, TimeSpan duration)
    {
        Member<TResult>[] begun = [.. members.Select((worker, index) =>
        {
            var task = new WorkerTask(job, TransportList.OfCrowd(isConsumed, index).Name, root, duration);
            return workers is null ? Member<TResult>.Start(task) : Member<TResult>.Start(task, workers[worker]);
        })];
        Array.ForEach(begun, static member => member.AwaitOpened());
        return begun;
    }

    // Null where there is none.
    private static double? Fairness(IEnumerable<long> messages)
    {
        long[] all = [.. messages];
        return all.Length == 0 ? null : (double)all.Min() / all.Max();
    }

    /// <summary>One of the crowd, wherever it runs.</summary>
    /// <param name="AwaitOpened">Returns when its end is open.</param>
    /// <param name="Go">Has a producer begin.</param>
    /// <param name="AwaitResult">Returns when it has done its work.</param>
    private sealed record Member<TResult>(Action AwaitOpened, Action Go, Func<TResult> AwaitResult)
    {
        public static Member<TResult> Start(WorkerTask task, Worker worker)
        {
            worker.Begin(task);
            return new Member<TResult>(worker.AwaitOpened, worker.Go, worker.AwaitResult<TResult>);
        }

        /// <summary>A thread of this process.</summary>
        public static Member<TResult> Start(WorkerTask task)
        {
            var opened = new ManualResetEventSlim();
            var begun = new ManualResetEventSlim();
            Task<object> running = Task.Factory.StartNew(
                () => WorkerMain.Do(task, opened.Set, begun.Wait), CancellationToken.None, TaskCreationOptions.LongRunning,
                TaskScheduler.Default);
            return new Member<TResult>(opened.Wait, begun.Set, () => (TResult)running.GetAwaiter().GetResult());
        }
    }
}
