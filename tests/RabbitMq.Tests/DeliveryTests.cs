using System.Diagnostics;
using System.Globalization;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>What is enqueued at A is at B, once and in order.</summary>
public sealed class DeliveryTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task Ten_thousand_messages_arrive_once_and_in_order()
    {
        const int Count = 10_000;
        Send(0, Count / 2);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Send(Count / 2, Count / 2);
        await TakeAllInOrderAsync(Count);
        BridgeState sent = forwarder.GetState(), came = receiver.GetState();
        Assert.Equal((Count, Count), (sent.Messages, came.Messages));
        Assert.Equal((BridgeProblem.None, 0, 0L), (sent.Problem, sent.Window, sent.Lag));
        Assert.Equal((0L, 0L), (sent.Duplicates, came.Duplicates));
    }

    [BrokerFact]
    public async Task A_broker_that_is_killed_twice_loses_and_doubles_nothing()
    {
        const int Count = 6_000;
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        // A broker (3.10) that is killed within seconds of a quorum queue's declaration has forgotten the queue's member when it is back
        // ("running pre init for 0 registered servers"), and the queue never has a leader again.
        await Task.Delay(TimeSpan.FromSeconds(6));
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(new ForwarderOptions { Broker = Broker.Options, RoutingKey = Name, Window = 256 });
        var sending = Task.Run(async () =>
        {
            for (int i = 0; i < Count; i += 100)
            {
                Send(i, 100);
                await Task.Delay(20);
            }
        });
        for (int kill = 1; kill <= 2; kill++)
        {
            long goal = kill * Count / 4;
            await UntilAsync(forwarder, state => state.Messages >= goal);
            Broker.Kill();
            await Task.Delay(100);
            await Broker.StartAsync();
        }
        await sending;
        await TakeAllInOrderAsync(Count);
        Assert.True(forwarder.GetState().Connections >= 3);
    }

    [BrokerFact]
    public async Task Processes_that_are_killed_at_random_lose_and_double_nothing()
    {
        const int Count = 20_000;
        const int Kills = 8;
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        var random = new Random(1);
        Process[] ends = [StartSite("forward"), StartSite("receive")];
        try
        {
            for (int kill = 0; kill < Kills; kill++)
            {
                Send(kill * (Count / Kills), Count / Kills);
                await Task.Delay(random.Next(300, 1_100));
                int end = kill % 2;
                ends[end].Kill();
                await ends[end].WaitForExitAsync();
                ends[end].Dispose();
                ends[end] = StartSite(end == 0 ? "forward" : "receive");
            }
            await TakeAllInOrderAsync(Count);
        }
        finally
        {
            foreach (Process end in ends)
            {
                end.Kill();
                end.WaitForExit();
                end.Dispose();
            }
        }
    }

    /// <summary>It is killed when its local commit shows, before the broker has its acknowledgement, or hardly after that.</summary>
    [BrokerFact]
    public async Task A_receiver_that_is_killed_between_its_commit_and_its_acknowledgement_doubles_nothing()
    {
        const int Kills = 12;
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        for (int kill = 0; kill < Kills; kill++)
        {
            using Process receiver = StartSite("receive");
            Send(kill * 10, 10);
            while (Inbox.GetStatus().MessageCount <= kill * 10)
            {
                Assert.False(receiver.HasExited);
            }
            receiver.Kill();
            await receiver.WaitForExitAsync();
        }
        Receiver<Parcel> last = Run(ReceiverOptions);
        await TakeAllInOrderAsync(Kills * 10);
        Assert.Equal(0, forwarder.GetState().Duplicates);
        Assert.Equal(BridgeProblem.None, last.GetState().LastProblem);
    }

    [BrokerFact]
    public async Task Two_forwarders_with_files_of_their_own_do_not_share_a_subscription()
    {
        Run(ReceiverOptions);
        Send(0, 100);
        Forwarder<Parcel> first = Run(ForwarderOptions);
        await UntilAsync(() => first.GetState().Messages > 0);
        ForwarderOptions options = ForwarderOptions;
        options.StatePath = FileOf("another");
        Forwarder<Parcel> second = Run(options);
        await UntilAsync(second, BridgeProblem.InUse);
        Send(100, 100);
        await TakeAllInOrderAsync(200);
        await UntilAsync(first, static state => state.Messages == 200);
        Assert.Equal(0, second.GetState().Messages);
    }

    [BrokerFact]
    public async Task Properties_arrive_as_they_were()
    {
        DateTime expires = new(2099, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        const string Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Outbox.Enqueue(new Parcel { Number = 0, Text = "parcel 0" }, new MessageProperties
        {
            MessageId = "id-1", CorrelationId = "request-1", ReplyTo = "answers", Label = "rush", Producer = "shop", ExpiresAt = expires,
            Headers = { ["tenant"] = "acmé", ["priority"] = "7", ["traceparent"] = Trace, ["blitqueue-label"] = "the user's" },
        });
        Run(ReceiverOptions);
        Run(ForwarderOptions);
        var properties = new MessageProperties();
        using var giveUp = new CancellationTokenSource(Patience);
        await Inbox.DequeueAsync(null, properties, giveUp.Token);
        Assert.Equal(("id-1", "request-1", "answers"), (properties.MessageId, properties.CorrelationId, properties.ReplyTo));
        Assert.Equal(("rush", "shop", expires), (properties.Label, properties.Producer, properties.ExpiresAt));
        Assert.Equal(
            [("blitqueue-label", "the user's"), ("priority", "7"), ("tenant", "acmé"), ("traceparent", Trace)],
            properties.Headers.Select(static one => (one.Key, one.Value)).Order());
    }

    /// <summary>At the receiver each message gets an identity, for which there may be no room.</summary>
    [BrokerFact]
    public async Task Properties_that_are_as_long_as_they_can_be_arrive_as_they_were()
    {
        int length = 32 * 1024;
        var properties = new MessageProperties();
        var parcel = new Parcel { Number = 0, Text = "parcel 0" };
        for (bool isEnqueued = false; !isEnqueued; length--)
        {
            (properties.Headers["long"], properties.Headers["priority"]) = (new string('v', length), "007");
            try
            {
                Outbox.Enqueue(parcel, properties);
                isEnqueued = true;
            }
            catch (ArgumentException)
            {
                // A little less.
            }
        }
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        Run(ForwarderOptions);
        var arrived = new MessageProperties();
        using var giveUp = new CancellationTokenSource(Patience);
        await Inbox.DequeueAsync(null, arrived, giveUp.Token);
        Assert.Equal(properties.Headers.OrderBy(static one => one.Key), arrived.Headers.OrderBy(static one => one.Key));
        Assert.Equal((null, 0L), (arrived.MessageId, receiver.GetState().SetAside));
    }

    [BrokerFact]
    public async Task The_broker_is_told_the_time_to_live_where_asked()
    {
        await DeclareAsync(("x-queue-type", "quorum"));
        ForwarderOptions options = ForwarderOptions;
        options.ExpireAtBroker = true;
        Forwarder<Parcel> forwarder = Run(options);
        Outbox.Enqueue(new Parcel { Number = 0 }, new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
        await UntilAsync(() => forwarder.GetState().Messages == 1);
        Assert.InRange(long.Parse((await GetAsync()).Expiration!, CultureInfo.InvariantCulture), 3_000_000, 3_600_000);
    }

    [BrokerFact]
    public async Task A_message_without_an_id_gets_its_source_and_position()
    {
        Send(0, 1);
        Run(ReceiverOptions);
        Run(ForwarderOptions);
        var properties = new MessageProperties();
        using var giveUp = new CancellationTokenSource(Patience);
        await Inbox.DequeueAsync(null, properties, giveUp.Token);
        Assert.Matches("^[0-9a-f]{32}/[0-9]+$", properties.MessageId);
    }

    /// <summary>What programs that are not ours read, as the page says; everything else would cost each message.</summary>
    [BrokerFact]
    public async Task A_message_has_these_properties_at_the_broker_and_no_others()
    {
        await DeclareAsync();
        Send(0, 2);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(() => forwarder.GetState().Messages == 2);
        IReadOnlyBasicProperties first = await GetAsync(), second = await GetAsync();
        Assert.Matches("^blitqueue/[0-9a-f]{32}/[0-9]+/-1$", first.AppId);
        string[] origin = first.AppId!.Split('/'), next = second.AppId!.Split('/');
        Assert.Equal((origin[1], origin[2]), (next[1], next[3]));
        Assert.Equal($"application/x-blitqueue; schema={Parcel.Schema.Fingerprint:x16}", first.ContentType);
        Assert.Equal((Parcel.Schema.Name, true, false), (first.Type, first.Persistent, first.IsMessageIdPresent()));
        Assert.Equal("blitqueue-schema", Assert.Single(first.Headers!).Key);
        Assert.Equal(Parcel.Schema.Text, Encoding.UTF8.GetString((byte[])first.Headers!["blitqueue-schema"]!));
    }

    /// <summary>One object writes the properties of all messages: nothing of one is left for the next.</summary>
    [BrokerFact]
    public async Task A_message_has_nothing_of_the_one_before()
    {
        await DeclareAsync();
        Outbox.Enqueue(new Parcel { Number = 0 }, new MessageProperties
        {
            MessageId = "id", CorrelationId = "request", ReplyTo = "answers", Label = "rush", TimeToLive = TimeSpan.FromHours(1),
            Headers = { ["tenant"] = "acme", ["priority"] = "7" },
        });
        Outbox.Enqueue(new Parcel { Number = 1 }, new MessageProperties { Producer = "shop" });
        Send(2, 1);
        ForwarderOptions options = ForwarderOptions;
        options.ExpireAtBroker = true;
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(() => forwarder.GetState().Messages == 3);
        Assert.Equal("id", (await GetAsync()).MessageId);
        IReadOnlyBasicProperties second = await GetAsync(), third = await GetAsync();
        Assert.Equal(["blitqueue-producer", "blitqueue-schema"], second.Headers!.Keys.Order());
        Assert.Equal("blitqueue-schema", Assert.Single(third.Headers!).Key);
        Assert.All([second, third], static one => Assert.False(
            one.IsMessageIdPresent() || one.IsCorrelationIdPresent() || one.IsReplyToPresent() || one.IsExpirationPresent()
            || one.IsPriorityPresent()));
        Assert.False(third.IsTimestampPresent());
    }

    [BrokerFact]
    public async Task A_second_forwarder_and_a_second_receiver_wait_and_take_over()
    {
        using var first = new CancellationTokenSource();
        var forwarder = new Forwarder<Parcel>(Outbox, ForwarderOptions);
        var receiver = new Receiver<Parcel>(Store, "parcels", ReceiverOptions);
        Task[] running = [Task.Run(() => receiver.RunAsync(first.Token)), Task.Run(() => forwarder.RunAsync(first.Token))];
        Send(0, 100);
        await UntilAsync(() => receiver.GetState().Messages == 100);
        Forwarder<Parcel> secondForwarder = Run(ForwarderOptions);
        Receiver<Parcel> secondReceiver = Run(ReceiverOptions);
        await UntilAsync(secondForwarder, BridgeProblem.InUse);
        await UntilAsync(secondReceiver, BridgeProblem.InUse);
        Send(100, 100);
        await first.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.WhenAll(running));
        Send(200, 100);
        await TakeAllInOrderAsync(300);
        await UntilAsync(secondForwarder, static state => state.Messages >= 100);
    }

    [BrokerFact]
    public async Task A_connection_with_tls_checks_the_certificate()
    {
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = [Broker.TlsHost];
        options.Broker.UseTls = true;
        options.Broker.TlsServerName = "localhost";
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(options);
        Send(0, 10);
        await UntilAsync(forwarder, BridgeProblem.Unreachable);
        Assert.Equal(0, forwarder.GetState().Messages);
        options.Broker.TlsValidation = (_, certificate, _, _) => certificate?.GetCertHashString() == Broker.Certificate!.Thumbprint;
        await TakeAllInOrderAsync(10);
    }

    [BrokerFact]
    public async Task Two_sources_share_a_queue_of_the_broker()
    {
        using var other = MappedQueue<Parcel>.Open(FileOf("c"));
        for (int number = 0; number < 500; number++)
        {
            other.Enqueue(new Parcel { Number = -number - 1, Text = $"parcel {-number - 1}" });
        }
        Send(0, 500);
        Run(ReceiverOptions);
        Run(ForwarderOptions);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => new Forwarder<Parcel>(other, ForwarderOptions).RunAsync(end.Token));
        List<long> numbers = await TakeAsync(1_000);
        Assert.Equal(Enumerable.Range(0, 500).Select(static one => (long)one), numbers.Where(static one => one >= 0));
        Assert.Equal(Enumerable.Range(0, 500).Select(static one => -(long)one - 1), numbers.Where(static one => one < 0));
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    // The next message at the broker.
    private async Task<IReadOnlyBasicProperties> GetAsync()
    {
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        return (await channel.BasicGetAsync(Name, autoAck: true))!.BasicProperties;
    }
}
