using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workloads;

namespace BlitQueue.Bench.Plans;

/// <summary>What many waiting messages cost.</summary>
internal static class DepthPlan
{
    private const int MessageSize = 1024;
    private const long ShallowBytes = 10_000_000, CopiedBytes = 4_000_000_000, IdleMessages = 10_000_000;

    /// <param name="depth">Bytes of the deep queue's messages.</param>
    public static IEnumerable<ScenarioGroup> Groups(long depth)
    {
        long copied = Math.Min(depth, CopiedBytes);
        DeepQueue<Fixed1024> deep = Queue(depth, onDisk: true);
        return
        [
            new(Titles.Depth,
            [
                new DepthScenario(Titles.DepthOf(depth), Role.Queue, Queue(depth, onDisk: false)),
                Copy(copied, onDisk: false),
                new DepthScenario(Titles.Shallow, Role.Floor, Queue(ShallowBytes, onDisk: false)),
            ]) { IsApart = true },
            new(Titles.DepthOnDisk,
            [
                new DepthScenario(Titles.DepthOf(depth), Role.Queue, deep),
                Copy(copied, onDisk: true),
                new DepthScenario(Titles.Shallow, Role.Floor, Queue(ShallowBytes, onDisk: true)),
            ]) { IsApart = true },
            new(Titles.Reopen, [new ReopenScenario(Titles.DepthOf(depth), Role.Queue, TransportList.Get("queue-1024-default"), deep)])
            { IsApart = true, Rounds = 3 },
            new(Titles.ResidentMemory,
            [
                Memory(Titles.IdleMessages, Role.Queue, IdleMessages),
                Memory(Titles.NoMessages, Role.Floor, 1 << 10),
            ]) { Rounds = 3 },
        ];
    }

    private static MemoryScenario Memory(string name, Role role, long messages) =>
        new(name, role, TransportList.Get("queue-8-default"), new(messages, sizeof(long), onDisk: false));

    private static DeepCopyScenario Copy(long bytes, bool onDisk) =>
        new(Titles.CopyOf(bytes), Role.Rival, new(bytes, MessageSize, onDisk), MessageSize);

    private static DeepQueue<Fixed1024> Queue(long bytes, bool onDisk) => new(bytes / MessageSize, MessageSize, onDisk);
}
