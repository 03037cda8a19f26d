using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>What the meter counts and which spans there are, by listeners of the framework.</summary>
public sealed class TelemetryTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task Everything_that_a_forwarder_does_is_counted()
    {
        using var metrics = new Metrics(Name);
        Send(0, 50);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.Unroutable);
        Assert.True(metrics.Of("blitqueue.forwarder.returned") > 0);
        Assert.Equal(0, metrics.Of("blitqueue.forwarder.confirmed"));
        await DeclareAsync(("x-max-length", 20), ("x-overflow", "reject-publish"));
        await UntilAsync(forwarder, BridgeProblem.Refused);
        ReceiverOptions options = ReceiverOptions;
        options.DeclareQueue = false;
        Run(options);
        await TakeAllInOrderAsync(50);
        await UntilAsync(forwarder, static state => state is { Messages: 50, Window: 0 });
        await UntilAsync(() => (metrics.Of("blitqueue.forwarder.confirmed"), metrics.Of("blitqueue.receiver.written")) == (50, 50));
        BridgeState state = forwarder.GetState();
        Assert.True(metrics.Of("blitqueue.forwarder.refused") > 0);
        Assert.Equal(state.Duplicates, metrics.Of("blitqueue.forwarder.republished"));
        Assert.True(metrics.Of("messaging.client.sent.messages") > 50);
        Assert.Equal(state.Connections + 1, metrics.Of("blitqueue.bridge.connections"));
        metrics.Collect();
        Assert.Equal((0, 2), (metrics.Of("blitqueue.bridge.window"), metrics.Of("blitqueue.bridge.connected")));
    }

    [BrokerFact]
    public async Task Everything_that_a_receiver_does_is_counted()
    {
        using var metrics = new Metrics(Name);
        await DeclareAsync();
        (BasicProperties Properties, byte[] Body) damaged = Sent(16, 8);
        damaged.Body = damaged.Body[..^3];
        await PublishAsync(Sent(0, -1), Sent(8, 0), Sent(8, 0), damaged, Sent(32, 24));
        ReceiverOptions options = ReceiverOptions;
        (options.DeclareQueue, options.GapPatience) = (false, TimeSpan.FromMilliseconds(200));
        Run(options, out Task running);
        await Assert.ThrowsAsync<MessageGapException>(() => running.WaitAsync(Patience));
        Assert.Equal((5, 2, 1, 1, 1), (
            metrics.Of("messaging.client.consumed.messages"), metrics.Of("blitqueue.receiver.written"),
            metrics.Of("blitqueue.receiver.duplicates"), metrics.Of("blitqueue.bridge.set_aside"), metrics.Of("blitqueue.receiver.gaps")));
    }

    [BrokerFact]
    public async Task Messages_without_a_trace_are_no_parts_of_each_others()
    {
        await DeclareAsync();
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BlitQueue.RabbitMq",
            Sample = static (ref _) => ActivitySamplingResult.AllData,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        Send(0, 5);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, static state => state is { Lag: 0, Messages: 5 });
        await UntilAsync(() => Ours().Length == 5);
        Assert.All(Ours(), static span => Assert.Null(span.ParentId));

        Activity[] Ours() => [.. ended.Where(span => span.OperationName == $"publish {Name}")];
    }

    [BrokerFact]
    public async Task A_trace_goes_through_the_broker()
    {
        var ended = new ConcurrentQueue<Activity>();
        using var shop = new ActivitySource("shop");
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is "shop" or "BlitQueue" or "BlitQueue.RabbitMq",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        // Before its queue is there, each publish is returned, and has a span.
        await UntilAsync(() => receiver.GetState().Connected);
        Run(ForwarderOptions);
        ActivityTraceId trace;
        using (Activity request = shop.StartActivity("request")!)
        {
            trace = request.TraceId;
            Send(0, 1);
        }
        var properties = new MessageProperties();
        using var giveUp = new CancellationTokenSource(Patience);
        await Inbox.DequeueAsync(null, properties, giveUp.Token);
        await UntilAsync(() => Of("publish").Length == 1 && Of("receive").Length == 1);
        Activity sent = Of("publish")[0], received = Of("receive")[0];
        Activity enqueued = ended.First(one => one.DisplayName == $"enqueue {Outbox.Path}");
        Assert.Equal((ActivityKind.Producer, trace, enqueued.SpanId), (sent.Kind, sent.TraceId, sent.ParentSpanId));
        Assert.Equal((ActivityKind.Consumer, trace, enqueued.SpanId), (received.Kind, received.TraceId, received.ParentSpanId));
        Assert.Equal("rabbitmq", sent.GetTagItem("messaging.system"));
        Assert.Equal(Name, sent.GetTagItem("rabbitmq.destination.routing_key"));
        Assert.Equal(Outbox.Path, sent.GetTagItem("blitqueue.queue"));
        Assert.Equal(ActivityStatusCode.Unset, sent.Status);
        Assert.Equal(enqueued.Id, properties.Headers["traceparent"]);

        Activity[] Of(string operation) => [.. ended.Where(one => one.DisplayName == $"{operation} {Name}")];
    }

    [BrokerFact]
    public async Task A_publish_that_is_returned_is_a_failed_span()
    {
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BlitQueue.RabbitMq",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        Send(0, 1);
        Run(ForwarderOptions);
        await UntilAsync(() => ended.Any(one => one.DisplayName == $"publish {Name}"));
        Activity returned = ended.First(one => one.DisplayName == $"publish {Name}");
        Assert.Equal((ActivityStatusCode.Error, "returned"), (returned.Status, returned.GetTagItem("error.type")));
        Run(ReceiverOptions);
        var properties = new MessageProperties();
        using var giveUp = new CancellationTokenSource(Patience);
        await Inbox.DequeueAsync(null, properties, giveUp.Token);
        // It had no context of its own, so that of the publish goes along.
        Assert.Contains(ended, one => one.Id == properties.Headers["traceparent"]);
    }

    /// <summary>Sums of the meter's measurements with a destination.</summary>
    private sealed class Metrics : IDisposable
    {
        private readonly ConcurrentDictionary<string, long> _sums = new();
        private readonly MeterListener _listener = new();

        public Metrics(string destination)
        {
            _listener.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == "BlitQueue.RabbitMq")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags, destination));
            _listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => Add(instrument, value, tags, destination));
            _listener.Start();
        }

        public long Of(string instrument) => _sums.GetValueOrDefault(instrument);

        public void Collect() => _listener.RecordObservableInstruments();

        public void Dispose() => _listener.Dispose();

        private void Add(Instrument instrument, long value, ReadOnlySpan<KeyValuePair<string, object?>> tags, string destination)
        {
            if (tags.Contains(new KeyValuePair<string, object?>("messaging.destination.name", destination)))
            {
                _sums.AddOrUpdate(instrument.Name, value, (_, sum) => sum + value);
            }
        }
    }
}
