using System.Globalization;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Pairs;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Workers;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>Many producers and consumers on few processors, and many queues in one process: the verb "scale".</summary>
internal static class ScalePlan
{
    private const int Rounds = 3;
    private static readonly int[] Crowds = [1, 2, 8, 32, 128], Counts = [1, 10, 100, 1000];

    public static IReadOnlyList<ScenarioGroup> Groups(WorkerSet workers) =>
    [
        Crowd(Titles.ProcessesAppend, isConsumed: false, workers),
        Crowd(Titles.ProcessesExchange, isConsumed: true, workers),
        Crowd(Titles.ThreadsAppend, isConsumed: false, null),
        Crowd(Titles.ThreadsExchange, isConsumed: true, null),
        new(Titles.ManyQueues, [.. Counts.Select(ManyQueues)]) { Rounds = Rounds },
    ];

    private static ScenarioGroup Crowd(string title, bool isConsumed, WorkerSet? workers) =>
        new(title, [.. Crowds.Select(size => new CrowdScenario(Titles.Each(size), size, isConsumed, workers))]) { Rounds = Rounds };

    private static PairScenario<ManyQueuesPair> ManyQueues(int count) => Pair(
        string.Create(CultureInfo.InvariantCulture, $"{count:#,0}"), count == 1 ? Role.Floor : Role.Queue,
        path => new ManyQueuesPair(path, count));
}
