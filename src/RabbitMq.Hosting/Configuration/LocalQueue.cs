using BlitQueue.Hosting;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>How a receiver opens the host's queue: as the host does, in the store that its directory is in.</summary>
internal static class LocalQueue
{
    public static QueueOptions OptionsOf(BlitQueueOptions options) => WithInterval(options, new QueueOptions
    {
        SegmentSize = options.SegmentSize,
        UseChecksums = options.UseChecksums,
        FileMode = options.FileMode,
        CreateDefaultSubscription = options.CreateDefaultSubscription,
        Capacity = options.Capacity,
        RetainBytes = options.RetainBytes,
        RetainFor = options.RetainFor,
        FullMode = options.FullMode,
        SoftLimit = options.SoftLimit,
        MaxMessageSize = options.MaxMessageSize,
        Durability = options.Durability,
        StallTimeout = options.StallTimeout,
        SpinDuration = options.SpinDuration,
        Stamps = options.Stamps,
        TimeProvider = options.TimeProvider,
    });

    /// <summary>What the queues beside it, of marks and refused messages, share with it.</summary>
    public static QueueOptions StoreOptionsOf(BlitQueueOptions options) => WithInterval(options, new QueueOptions
    {
        Durability = options.Durability,
        FileMode = options.FileMode,
        StallTimeout = options.StallTimeout,
    });

    // Where nothing is flushed at intervals, an interval that is set is refused.
    private static QueueOptions WithInterval(BlitQueueOptions options, QueueOptions queue)
    {
        if (options.Durability == Durability.Interval)
        {
            queue.FlushInterval = options.FlushInterval;
        }
        return queue;
    }
}
