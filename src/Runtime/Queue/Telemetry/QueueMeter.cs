using System.Diagnostics.Metrics;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// The meter <c>BlitQueue</c>. Counts and gauges are read when a listener collects them, from words that are there anyway; only what takes
/// long by itself, a sync or a handler, is recorded when it happens.
/// </summary>
internal static class QueueMeter
{
    public const string Name = "BlitQueue";

    private static readonly MeasuredQueues Queues = new();
    private static readonly Meter Meter = new(Name, typeof(QueueMeter).Assembly.GetName().Version?.ToString(3));

    private static readonly Histogram<double> SyncDuration = Duration("blitqueue.sync.duration", "How long a sync to the disk took.");

    private static readonly Histogram<double> ProcessDuration =
        Duration("messaging.process.duration", "How long a handler of ProcessAsync took.");

    private static readonly Histogram<double> CallDuration =
        Duration("rpc.client.call.duration", "How long calls took, until their answer.");

    private static readonly Histogram<double> AnswerDuration =
        Duration("rpc.server.call.duration", "How long calls took at their server.");

    private static int LastAsker;

    static QueueMeter()
    {
        Meter.CreateObservableCounter(
            "messaging.client.sent.messages", static () => Queues.All().Select(Sent), "{message}",
            "Messages that this process has enqueued.");
        Meter.CreateObservableCounter(
            "messaging.client.consumed.messages", static () => Queues.All().SelectMany(Consumed), "{message}",
            "Messages that this process was given, each delivery counted.");
        ProcessCounter(
            "blitqueue.queue.full_waits", "{wait}", "How often an enqueue of this process waited for room.",
            static queue => queue.Waits());
        ProcessCounter(
            "blitqueue.queue.stalls", "{stall}",
            "How often a call of this process was refused because of a process that is stopped inside of an append.",
            static queue => queue.Stalls());
        ProcessCounter(
            "blitqueue.recovery.count", "{recovery}", "Openings by this process that found something to recover.",
            static queue => queue.Recoveries());
        ProcessCounter(
            "blitqueue.corruption.count", "{corruption}", "Damages that calls of this process have met.",
            static queue => queue.Damages());

        Gauge(
            "blitqueue.queue.depth", "{message}", "Messages that some subscription has not consumed.",
            static queue => queue.MessageCount);
        Gauge("blitqueue.queue.bytes", "By", "Bytes of log that wait to be consumed.", static queue => queue.Bytes);
        Gauge("blitqueue.queue.capacity", "By", "How many bytes may wait.", static queue => queue.Capacity);
        Gauge(
            "blitqueue.queue.failed", "1", "1 once the disk has refused a sync: nothing can be enqueued; else 0.",
            static queue => queue.IsFailed ? 1 : 0);
        Counter(
            "blitqueue.queue.repairs", "{repair}", "Append locks that were taken over from dead processes.",
            static (queue, _) => queue.Repairs);
        Counter(
            "blitqueue.queue.rolls", "{segment}", "Segments that the log has left behind.",
            static (queue, segmentSize) => queue.Next.Value / segmentSize);
        Counter(
            "blitqueue.queue.expired_subscriptions", "{subscription}", "Subscriptions that were removed because no consumer used them.",
            static (queue, _) => queue.ExpiredSubscriptions);

        SubscriptionGauge("blitqueue.consumer.lag", "{message}", "Messages that wait for the subscription.", static one => one.Lag);
        SubscriptionGauge("blitqueue.consumer.in_flight", "{message}", "Messages that are leased.", static one => one.InFlight);
        SubscriptionGauge("blitqueue.consumer.count", "{process}", "Processes that consume.", static one => one.Consumers);
        SubscriptionGauge("blitqueue.consumer.dead_letters", "{message}", "Dead letters that wait.", static one => one.DeadLetters);
        SubscriptionCounter("blitqueue.consumer.dropped", "{message}", "Messages dropped to make room.", static one => one.Dropped);
        SubscriptionCounter("blitqueue.consumer.expired", "{message}", "Messages whose time was over.", static one => one.Expired);
        int asker = ++LastAsker;
        Meter.CreateObservableGauge(
            "blitqueue.queue.oldest_message.age",
            () => EachSubscription(asker, static one => one.OldestAge?.TotalSeconds ?? 0), "s",
            "For how long the oldest message has waited, at most; 0 where none waits.");
    }

    /// <summary>Adds a handle to what the instruments report.</summary>
    /// <returns>The queue from which the handle is to be removed.</returns>
    public static MeasuredQueue Add(IMeasured handle) => Queues.Add(handle);

    /// <summary>Counts a damage that a caller was told who has no handle that counts.</summary>
    public static void NoteDamage(string path)
    {
        if (Instruments.AreSupported)
        {
            Queues[Path.TrimEndingDirectorySeparator(Path.GetFullPath(path))].NoteDamage();
        }
    }

    /// <summary>Does what may meet damage without a handle, an opening for instance: damage that ends it counts.</summary>
    /// <exception cref="QueueCorruptException">It did.</exception>
    public static TResult CountingDamage<TResult>(string path, Func<TResult> work) =>
        new DamageCount { Counted = () => NoteDamage(path) }.Noting(work);

    public static void NoteSync(string path, TimeSpan duration, bool hasFailed)
    {
        if (SyncDuration.Enabled)
        {
            Record(SyncDuration, duration, [.. QueueTags.Of(path), .. hasFailed ? Error("sync") : []]);
        }
    }

    /// <summary>Whether any listener wants to know how long handlers take.</summary>
    public static bool TimesHandlers => Instruments.AreSupported && ProcessDuration.Enabled;

    public static void NoteHandler(string path, string subscription, TimeSpan duration, Exception? failure) =>
        Record(
            ProcessDuration, duration,
            [
                .. QueueTags.Of(path, subscription), new(QueueTags.Operation, "process"),
                .. failure is null ? [] : Error(failure.GetType().FullName!),
            ]);

    /// <summary>Whether any listener wants to know how long calls take.</summary>
    public static bool TimesCalls => Instruments.AreSupported && (CallDuration.Enabled || AnswerDuration.Enabled);

    public static void NoteCall(string path, bool isClient, TimeSpan duration, Exception? failure) =>
        Record(
            isClient ? CallDuration : AnswerDuration, duration,
            [
                new(QueueTags.RpcSystem, QueueTags.SystemName), new(QueueTags.Destination, path),
                .. failure is null ? [] : Error(failure is RpcFaultException fault ? fault.FaultType : failure.GetType().FullName!),
            ]);

    // What a listener throws is dropped: what it is told of has happened all the same.
    private static void Record(Histogram<double> times, TimeSpan duration, KeyValuePair<string, object?>[] tags)
    {
        try
        {
            times.Record(duration.TotalSeconds, tags);
        }
        catch (Exception)
        {
        }
    }

    private static KeyValuePair<string, object?>[] Error(string type) => [new(QueueTags.ErrorType, type)];

    private static Histogram<double> Duration(string name, string description) => Meter.CreateHistogram(
        name, "s", description,
        advice: new InstrumentAdvice<double>
        {
            HistogramBucketBoundaries =
                [1e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
        });

    private static Measurement<long> Sent(MeasuredQueue queue) => new(
        queue.Sent(), [.. QueueTags.Of(queue.Path), new(QueueTags.Operation, "enqueue"), new(QueueTags.OperationType, "send")]);

    private static IEnumerable<Measurement<long>> Consumed(MeasuredQueue queue) => queue.Consumed().Select(one => new Measurement<long>(
        one.Value,
        [
            .. QueueTags.Of(queue.Path, one.Key), new(QueueTags.Operation, "dequeue"), new(QueueTags.OperationType, "receive"),
        ]));

    private static void Gauge(string name, string unit, string description, Func<QueueStatus, long?> value)
    {
        int asker = ++LastAsker;
        Meter.CreateObservableGauge(name, () => EachQueue(asker, (queue, _) => value(queue)), unit, description);
    }

    private static void ProcessCounter(string name, string unit, string description, Func<MeasuredQueue, long> value) =>
        Meter.CreateObservableCounter(
            name, () => Queues.All().Select(queue => new Measurement<long>(value(queue), QueueTags.Of(queue.Path))), unit, description);

    private static void Counter(string name, string unit, string description, Func<QueueStatus, long, long?> value)
    {
        int asker = ++LastAsker;
        Meter.CreateObservableCounter(name, () => EachQueue(asker, value), unit, description);
    }

    private static void SubscriptionGauge(string name, string unit, string description, Func<SubscriptionStatus, long> value)
    {
        int asker = ++LastAsker;
        Meter.CreateObservableGauge(name, () => EachSubscription(asker, value), unit, description);
    }

    private static void SubscriptionCounter(string name, string unit, string description, Func<SubscriptionStatus, long> value)
    {
        int asker = ++LastAsker;
        Meter.CreateObservableCounter(name, () => EachSubscription(asker, value), unit, description);
    }

    private static List<Measurement<long>> EachQueue(int asker, Func<QueueStatus, long, long?> value)
    {
        List<Measurement<long>> all = [];
        foreach (MeasuredQueue queue in Queues.All())
        {
            if (queue.Status(asker, out long segmentSize) is { } status && value(status, segmentSize) is { } now)
            {
                all.Add(new Measurement<long>(now, QueueTags.Of(queue.Path)));
            }
        }
        return all;
    }

    private static List<Measurement<TValue>> EachSubscription<TValue>(int asker, Func<SubscriptionStatus, TValue> value)
        where TValue : struct
    {
        List<Measurement<TValue>> all = [];
        foreach (MeasuredQueue queue in Queues.All())
        {
            foreach (SubscriptionStatus one in queue.Status(asker, out _)?.Subscriptions ?? [])
            {
                all.Add(new Measurement<TValue>(value(one), QueueTags.Of(queue.Path, one.Name)));
            }
        }
        return all;
    }
}
