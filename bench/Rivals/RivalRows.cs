using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Rivals;

namespace BlitQueue.Bench.Plans;

internal static partial class RivalRows
{
    static partial void AddPairs(List<Scenario> rows) => rows.AddRange(
    [
        Plan.Pair("Cloudtoid.Interprocess", Role.Rival, static place => new InterprocessPair(place)),
        Plan.Pair("MappedFileQueues", Role.Rival, static place => new MappedFilePair(place)),
        Plan.Pair("Disruptor, one producer", Role.Rival, static _ => new DisruptorPair()),
    ]);
}
