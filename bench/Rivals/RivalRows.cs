using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Rivals;

namespace BlitQueue.Bench.Plans;

internal static partial class RivalRows
{
    static partial void AddPairs(List<Scenario> rows) => rows.AddRange(
    [
        Plan.Pair("Cloudtoid.Interprocess", Role.Rival, static path => new InterprocessPair(path)),
        Plan.Pair("MappedFileQueues", Role.Rival, static path => new MappedFilePair(path)),
        Plan.Pair("Disruptor, one producer", Role.Rival, static _ => new DisruptorPair()),
    ]);
}
