using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace BlitQueue.RabbitMq;

/// <summary>The meter <c>BlitQueue.RabbitMq</c>. An instrument that no listener has costs a check at each count.</summary>
internal static class BridgeMeter
{
    public const string Name = "BlitQueue.RabbitMq";

    private static readonly ConcurrentDictionary<BridgeStatus, bool> Running = new();
    private static readonly Meter Meter = new(Name, typeof(BridgeMeter).Assembly.GetName().Version?.ToString(3));

    static BridgeMeter()
    {
        Meter.CreateObservableGauge(
            "blitqueue.bridge.window", static () => Running.Keys.Select(
                static one => new Measurement<int>(one.Window, one.Tags)),
            "{message}", "Messages that are published and not confirmed, or that came early.");
        Meter.CreateObservableGauge(
            "blitqueue.bridge.connected", static () => Running.Keys.Select(
                static one => new Measurement<int>(one.IsConnected ? 1 : 0, one.Tags)),
            "1", "1 while there is a connection to the broker; else 0.");
    }

    public static BridgeCounter Sent { get; } =
        Counter("messaging.client.sent.messages", "{message}", "Publishes, each of a message counted.");

    public static BridgeCounter Confirmed { get; } =
        Counter("blitqueue.forwarder.confirmed", "{message}", "Messages that the broker has confirmed and the local queue has consumed.");

    public static BridgeCounter Returned { get; } =
        Counter("blitqueue.forwarder.returned", "{message}", "Publishes that the broker returned because no queue is bound.");

    public static BridgeCounter Refused { get; } =
        Counter("blitqueue.forwarder.refused", "{message}", "Publishes that the broker refused (basic.nack).");

    public static BridgeCounter Republished { get; } =
        Counter("blitqueue.forwarder.republished", "{message}", "Publishes that are done again: nothing was confirmed.");

    public static BridgeCounter Received { get; } =
        Counter("messaging.client.consumed.messages", "{message}", "Messages that the broker has delivered, each delivery counted.");

    public static BridgeCounter Written { get; } =
        Counter("blitqueue.receiver.written", "{message}", "Messages that are in the local queue.");

    public static BridgeCounter Duplicates { get; } =
        Counter("blitqueue.receiver.duplicates", "{message}", "Messages that were there already, and were dropped.");

    public static BridgeCounter Gaps { get; } =
        Counter("blitqueue.receiver.gaps", "{gap}", "How often messages were missing when the patience was over.");

    public static BridgeCounter SetAside { get; } =
        Counter("blitqueue.bridge.set_aside", "{message}", "Messages that became dead letters, or that were refused.");

    public static BridgeCounter Connections { get; } =
        Counter("blitqueue.bridge.connections", "{connection}", "Connections to the broker that were opened.");

    /// <summary>A forwarder or a receiver runs: its gauges are read.</summary>
    public static void Begin(BridgeStatus status) => Running[status] = true;

    public static void End(BridgeStatus status) => Running.TryRemove(status, out _);

    private static BridgeCounter Counter(string name, string unit, string description) =>
        new(Meter.CreateCounter<long>(name, unit, description));
}
