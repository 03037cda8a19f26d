using System.Diagnostics.Metrics;

namespace BlitQueue.RabbitMq;

/// <summary>A counter. What its listener throws is dropped: what it is told of has happened all the same.</summary>
internal sealed class BridgeCounter(Counter<long> counter)
{
    public void Add(long count, KeyValuePair<string, object?>[] tags)
    {
        try
        {
            counter.Add(count, tags);
        }
        catch (Exception)
        {
        }
    }
}
