using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>One message that cannot go on stops no other, and nothing comes twice.</summary>
public sealed class PoisonTests(Broker broker) : BridgeFixture(broker)
{
    private const int Bad = 2, All = 5;

    private static readonly long[] Others = [0, 1, 3, 4];

    // The test has made the broker's queue.
    private ReceiverOptions Unchanged => new() { Broker = Broker.Options, Queue = Name };

    /// <summary>A frame that is too long ends the connection, each time. Not a message is to blame for it.</summary>
    [Fact]
    public void A_description_of_the_type_without_room_in_a_frame_does_not_go_along()
    {
        var envelopes = new EnvelopeWriter(Parcel.Schema, new byte[9_000], contentType: null, expireAtBroker: false);
        var origin = new Origin("source", 1, 0);
        var properties = new MessageProperties { Label = "label" };

        envelopes.Begin(8_192);
        Assert.DoesNotContain(Envelope.SchemaHeader, envelopes.Write(in origin, properties: null).Headers!.Keys);
        Assert.DoesNotContain(Envelope.SchemaHeader, envelopes.Write(in origin, properties).Headers!.Keys);
        Assert.Null(envelopes.WhyTooLong(key: null, 8_192));

        envelopes.Begin(131_072);
        Assert.Contains(Envelope.SchemaHeader, envelopes.Write(in origin, properties: null).Headers!.Keys);
    }

    [BrokerFact]
    public async Task Messages_whose_properties_the_broker_refuses_become_letters()
    {
        MessageProperties[] refused =
        [
            new() { ReplyTo = "amq.rabbitmq.reply-to" }, new() { Headers = { ["CC"] = "ada@example.org" } },
            new() { Headers = { ["BCC"] = "ada@example.org" } },
        ];
        Run(ReceiverOptions);
        Send(0, 2);
        foreach (MessageProperties one in refused)
        {
            Outbox.Enqueue(new Parcel { Number = Bad, Text = "parcel 2" }, one);
        }
        Send(3, 2);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Assert.Equal(Others, await TakeAsync(Others.Length));
        await UntilAsync(forwarder, state => state.SetAside == refused.Length && state.Lag == 0);
        Assert.Equal(BridgeProblem.UnsendableMessage, forwarder.GetState().LastProblem);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        Assert.All(
            subscription.DeadLetters, static one => Assert.Contains("PRECONDITION_FAILED", one.Reason, StringComparison.Ordinal));
    }

    // The broker takes no longer one than 49 days.
    [BrokerFact]
    public async Task A_message_that_expires_in_many_years_is_sent_without_the_brokers_expiration()
    {
        await DeclareAsync();
        var expires = new DateTime(2099, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        Outbox.Enqueue(new Parcel { Number = 0, Text = "parcel 0" }, new MessageProperties { ExpiresAt = expires });
        Run(Unchanged);
        ForwarderOptions options = ForwarderOptions;
        options.ExpireAtBroker = true;
        Forwarder<Parcel> forwarder = Run(options);
        Assert.Equal([0L], await TakeAsync(1));
        await UntilAsync(forwarder, static state => state is { Messages: 1, Connections: 1, Lag: 0 });
    }

    [BrokerFact]
    public async Task A_message_that_throws_when_it_is_read_for_a_format_becomes_a_letter()
    {
        await DeclareAsync();
        using var outbox = MappedQueue<ThrowingParcel>.Open(FileOf("throwing"));
        for (int number = 0; number < All; number++)
        {
            outbox.Enqueue(new ThrowingParcel { Number = number });
        }
        using var end = new CancellationTokenSource();
        var forwarder = new Forwarder<ThrowingParcel>(outbox, ForwarderOptions, new NumberFormat());
        ThrowingParcel.BadUnpacked = Bad;
        try
        {
            var running = Task.Run(() => forwarder.RunAsync(end.Token));
            await UntilAsync(() => forwarder.GetState() is { Messages: All - 1, SetAside: 1, Lag: 0 });
            Assert.Contains("2 is invalid", forwarder.GetState().LastError, StringComparison.Ordinal);
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        finally
        {
            ThrowingParcel.BadUnpacked = -1;
        }
    }

    [BrokerFact]
    public async Task A_message_that_throws_when_it_is_packed_at_the_receiver_is_set_aside()
    {
        await DeclareAsync();
        for (int number = 0; number < All; number++)
        {
            (BasicProperties properties, _) = Sent(number, number - 1);
            properties.ContentType = string.Create(
                CultureInfo.InvariantCulture, $"application/x-blitqueue; schema={ThrowingParcel.Schema.Fingerprint:x16}");
            await PublishAsync((properties, Packer.Pack(new ThrowingParcel { Number = number })));
        }
        using var end = new CancellationTokenSource();
        var receiver = new Receiver<ThrowingParcel>(Store, "throwing", Unchanged);
        ThrowingParcel.BadPacking = Bad;
        try
        {
            var running = Task.Run(() => receiver.RunAsync(end.Token));
            await UntilAsync(() => receiver.GetState() is { Messages: All - 1, SetAside: 1 });
            Assert.Contains("2 is invalid", receiver.GetState().LastError, StringComparison.Ordinal);
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        finally
        {
            ThrowingParcel.BadPacking = -1;
        }
    }

    /// <summary>An exception of a format's own queue is none of the forwarded one.</summary>
    [BrokerTheory]
    [InlineData(typeof(ObjectDisposedException))]
    [InlineData(typeof(QueueFullException))]
    [InlineData(typeof(IOException))]
    public async Task A_format_that_throws_makes_letters(Type thrown)
    {
        Send(0, All);
        Run(ReceiverOptions);
        var format = new ThrowingFormat((Exception)Activator.CreateInstance(thrown, "of the format")!);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions, format);
        await UntilAsync(forwarder, static state => state is { SetAside: All, Lag: 0, LastProblem: BridgeProblem.UnreadableMessage });
        Assert.Contains("of the format", forwarder.GetState().LastError, StringComparison.Ordinal);
    }

    [BrokerTheory]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    public async Task An_expiry_that_is_no_time_is_none(long expires)
    {
        await DeclareAsync();
        (BasicProperties properties, byte[] body) = Sent(0, -1);
        properties.Headers = new Dictionary<string, object?> { ["blitqueue-expires"] = expires };
        await PublishAsync((properties, body), Sent(1, 0));
        Run(Unchanged);
        Assert.Equal([0L, 1], await TakeAsync(2));
    }

    /// <summary>The trace that a listener adds would make a frame too long, and the broker end the connection each time.</summary>
    [BrokerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Properties_that_fill_a_frame_leave_room_for_a_trace(bool isListening)
    {
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => isListening && source.Name.Contains("Rabbit", StringComparison.OrdinalIgnoreCase),
            Sample = static (ref _) => ActivitySamplingResult.AllData,
        };
        ActivitySource.AddActivityListener(listener);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        const int Frame = 16 << 10, Step = 50, Steps = 20;
        for (int i = 0; i < Steps; i++)
        {
            var properties = new MessageProperties { Headers = { ["long"] = new string('x', Frame - 900 + (i * Step)) } };
            Outbox.Enqueue(new Parcel { Number = i, Text = $"parcel {i}" }, properties);
        }
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Configure = static factory => factory.RequestedFrameMax = Frame;
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, static state => state is { Lag: 0, Connections: 1 } && state.Messages + state.SetAside == Steps);
        Assert.InRange(forwarder.GetState().Messages, 1, Steps - 1);
    }

    [BrokerTheory]
    [InlineData("amq.rabbitmq.reply-to.x")]
    [InlineData("amq.rabbitmq.reply-to.g1h2AA5yZXBseUA0NTY3.abc")]
    public async Task A_routing_key_that_only_looks_like_one_of_the_broker_becomes_a_letter(string key)
    {
        ForwarderOptions options = ForwarderOptions;
        (options.RoutingKeyHeader, options.OnUnroutable) = ("to", UnroutableMode.DeadLetter);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        Outbox.Enqueue(new Parcel { Number = Bad, Text = "parcel 2" }, new MessageProperties { Headers = { ["to"] = key } });
        Send(3, 2);
        Forwarder<Parcel> forwarder = Run(options);
        Assert.Equal([3L, 4], await TakeAsync(2));
        await UntilAsync(forwarder, static state => state is { Lag: 0, SetAside: 1 });
    }

    // The receiver connects anew, and the broker delivers them again. An ArgumentException is what a message without room throws.
    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_listener_that_throws_behind_the_commit_doubles_nothing(bool isArgument)
    {
        await DeclareAsync();
        using ActivityListener listener = ThrowAtEnd(
            "receive", 1, isArgument ? new ArgumentException("the exporter") : new TimeoutException("the exporter") { Source = "Exporter" },
            out Func<bool> isThrown);
        for (int number = 0; number < All; number++)
        {
            (BasicProperties properties, byte[] body) = Sent(number, number - 1);
            properties.Headers = new Dictionary<string, object?>
            {
                ["traceparent"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            };
            await PublishAsync((properties, body));
        }
        Receiver<Parcel> receiver = Run(Unchanged);
        Assert.Equal([0L, 1, 2, 3, 4], await TakeAsync(All));
        await UntilEmptyAsync();
        Assert.True(isThrown());
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
        await UntilAsync(() => receiver.GetState() is { Problem: BridgeProblem.None, Messages: All });
    }

    [BrokerFact]
    public async Task A_listener_of_the_meter_that_throws_behind_the_commit_doubles_nothing()
    {
        await DeclareAsync();
        int left = 1;
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, self) =>
        {
            if (instrument.Name == "blitqueue.receiver.written")
            {
                self.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((_, _, _, _) =>
        {
            if (Interlocked.Decrement(ref left) == 0)
            {
                throw new ArgumentException("the exporter");
            }
        });
        listener.Start();
        await PublishAsync([.. Enumerable.Range(0, All).Select(static number => Sent(number, number - 1))]);
        Run(Unchanged);
        Assert.Equal([0L, 1, 2, 3, 4], await TakeAsync(All));
        await UntilEmptyAsync();
        Assert.True(left <= 0);
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
    }

    [BrokerFact]
    public void A_name_that_is_too_long_for_the_protocol_is_refused_at_once()
    {
        string name = new('\u00e9', 128);
        ForwarderOptions forwarder = ForwarderOptions;
        forwarder.RoutingKey = name;
        ArgumentException refusal = Assert.Throws<ArgumentException>(() => new Forwarder<Parcel>(Outbox, forwarder));
        Assert.Contains("ForwarderOptions.RoutingKey", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("at most 255 bytes", refusal.Message, StringComparison.Ordinal);
        ReceiverOptions receiver = ReceiverOptions;
        receiver.Queue = name;
        Assert.Throws<ArgumentException>(() => new Receiver<Parcel>(Store, "parcels", receiver));
    }

    private sealed class ThrowingFormat(Exception thrown) : BodyFormat<Parcel>
    {
        public override string ContentType => "text/plain";

        public override void Write(IBufferWriter<byte> body, Parcel message) => throw thrown;

        public override Parcel? Read(ReadOnlySpan<byte> body) => throw thrown;
    }

    private sealed class NumberFormat : BodyFormat<ThrowingParcel>
    {
        public override string ContentType => "text/plain";

        public override void Write(IBufferWriter<byte> body, ThrowingParcel message) =>
            body.Write(Encoding.UTF8.GetBytes(message.Number.ToString(CultureInfo.InvariantCulture)));

        public override ThrowingParcel? Read(ReadOnlySpan<byte> body) => new() { Number = int.Parse(body, CultureInfo.InvariantCulture) };
    }
}
