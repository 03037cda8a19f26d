using System.Diagnostics;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>What stands in a forwarder's way has a name, nothing is lost, and messages flow when it is gone.</summary>
public sealed class ForwarderProblemTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task Unroutable_messages_wait_until_a_queue_is_there()
    {
        Send(0, 300);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.Unroutable);
        Assert.Contains("312 NO_ROUTE", forwarder.GetState().LastError, StringComparison.Ordinal);
        Assert.Equal(300, Outbox.GetStatus().MessageCount);
        Run(ReceiverOptions);
        await TakeAllInOrderAsync(300);
        await UntilAsync(forwarder, BridgeProblem.None);
    }

    [BrokerFact]
    public async Task Unroutable_messages_become_dead_letters_where_asked()
    {
        Send(0, 3);
        ForwarderOptions options = ForwarderOptions;
        options.OnUnroutable = UnroutableMode.DeadLetter;
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(() => forwarder.GetState().SetAside == 3);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        Assert.Equal([0L, 1, 2], subscription.DeadLetters.Select(static one => one.Message.Number));
        Run(ReceiverOptions);
        await UntilAsync(() => forwarder.GetState().Connected);
        await DeclareAsync(("x-queue-type", "quorum"), ("x-single-active-consumer", true));
        Send(3, 5);
        Assert.Equal([3L, 4, 5, 6, 7], await TakeAsync(5));
    }

    [BrokerFact]
    public async Task A_message_longer_than_the_option_becomes_a_dead_letter_and_the_others_go_on()
    {
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1000;
        Send(0, 10);
        Send(10, 1, filling: 2000);
        Send(11, 10);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        Forwarder<Parcel> forwarder = Run(options);
        Assert.Equal(Without(10, 21), await TakeAsync(20));
        await AssertOneLetterAsync(forwarder, "MaxMessageSize is 1,000");
    }

    [BrokerFact]
    public async Task A_message_longer_than_the_broker_allows_becomes_a_dead_letter_and_the_others_go_on()
    {
        Send(0, 10);
        Send(10, 1, filling: Broker.MaxMessageSize + 1);
        Send(11, 10);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        Assert.Equal(Without(10, 21), await TakeAsync(20));
        await AssertOneLetterAsync(forwarder, "message size");
        Send(21, 500);
        Assert.Equal(Enumerable.Range(21, 500).Select(static one => (long)one), await TakeAsync(500));
    }

    [BrokerFact]
    public async Task Wrong_credentials_are_told_and_right_ones_are_taken_at_the_next_connect()
    {
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Password = "wrong";
        Send(0, 10);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.AccessRefused);
        Assert.False(forwarder.GetState().Connected);
        options.Broker.Password = "guest";
        await TakeAllInOrderAsync(10);
        await UntilAsync(forwarder, static state => state is { Problem: BridgeProblem.None, LastProblem: BridgeProblem.AccessRefused });
    }

    [BrokerFact]
    public async Task A_missing_exchange_is_told_and_found_when_it_is_there()
    {
        ForwarderOptions options = ForwarderOptions;
        (options.Exchange, options.RoutingKey) = ($"{Name}-exchange", "parcels");
        Send(0, 10);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.MissingExchange);
        await using (IConnection connection = await Broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.ExchangeDeclareAsync(options.Exchange, "direct", durable: true);
        }
        ReceiverOptions receiver = ReceiverOptions;
        (receiver.Exchange, receiver.RoutingKey) = (options.Exchange, "parcels");
        Run(receiver);
        await TakeAllInOrderAsync(10);
    }

    [BrokerFact]
    public async Task An_exchange_is_made_where_asked_and_never_changed()
    {
        ForwarderOptions options = ForwarderOptions;
        (options.Exchange, options.RoutingKey, options.DeclareExchange) = ($"{Name}-exchange", "parcels", true);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(() => forwarder.GetState().Connected);
        using var other = MappedQueue<Parcel>.Open(FileOf("c"));
        options.ExchangeType = "fanout";
        var second = new Forwarder<Parcel>(other, options);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => second.RunAsync(end.Token));
        await UntilAsync(second, BridgeProblem.TopologyMismatch);
        Assert.Contains("inequivalent arg 'type'", second.GetState().LastError, StringComparison.Ordinal);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    [BrokerFact]
    public async Task A_broker_that_refuses_a_publish_gets_it_again()
    {
        await DeclareAsync(("x-max-length", 20), ("x-overflow", "reject-publish"));
        Send(0, 500);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, BridgeProblem.Refused);
        Assert.True(forwarder.GetState().Messages <= 20);
        ReceiverOptions options = ReceiverOptions;
        options.DeclareQueue = false;
        Run(options);
        await TakeAllInOrderAsync(500);
    }

    /// <summary>What it had while the forwarder began anew would come before messages that were sent.</summary>
    [BrokerFact]
    public async Task Nobody_else_consumes_what_is_forwarded()
    {
        Send(0, 1);
        Forwarder<Parcel> forwarder;
        using (Subscription<Parcel> first = Outbox.Subscribe("default"))
        {
            Assert.True(first.TryReceive(out Lease<Parcel> taken));
            Send(1, 1);
            forwarder = Run(ForwarderOptions);
            await UntilAsync(forwarder, BridgeProblem.InUse);
            taken.Abandon();
            Assert.Equal(0, forwarder.GetState().Messages);
        }
        Run(ReceiverOptions);
        await TakeAllInOrderAsync(2);
        using Subscription<Parcel> second = Outbox.Subscribe("default");
        Send(2, 1);
        QueueException refused = Assert.Throws<QueueException>(() =>
        {
            Parcel? parcel = null;
            return second.TryDequeue(ref parcel);
        });
        Assert.Equal(QueueError.InUse, refused.Reason);
        Assert.Equal([2L], await TakeAsync(1));
    }

    /// <summary>Behind later ones the receiver would drop it, and a forwarder that starts anew would take it for a sent one.</summary>
    [BrokerFact]
    public async Task What_an_earlier_consumer_gave_back_for_later_is_sent_in_its_place()
    {
        Send(0, 3);
        using (Subscription<Parcel> before = Outbox.Subscribe("default"))
        {
            Assert.True(before.TryReceive(out Lease<Parcel> first));
            first.Abandon(TimeSpan.FromSeconds(2));
        }
        Run(ReceiverOptions);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, static state => state.Connected);
        Assert.Equal((0L, 3L), (forwarder.GetState().Messages, forwarder.GetState().Lag));
        await TakeAllInOrderAsync(3);
        Assert.Equal(0, forwarder.GetState().SetAside);
    }

    /// <summary>The receiver there, and for all that it knows another source, never had the message before.</summary>
    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_forwarder_that_sends_elsewhere_than_the_one_before_names_no_message_of_before(bool hadKeys)
    {
        ForwarderOptions before = ForwarderOptions;
        if (hadKeys)
        {
            before.RoutingKeyHeader = "to";
            Run(ReceiverOptions);
        }
        else
        {
            before.RoutingKey = $"{Name}-before";
            await DeclareAsync(before.RoutingKey);
        }
        Send(0, 10);
        await WhileForwardingAsync(
            Outbox, before, static forwarder => UntilAsync(forwarder, static state => state is { Lag: 0, Messages: > 0 }));
        if (!hadKeys)
        {
            Run(ReceiverOptions);
        }
        Send(10, 5);
        Run(ForwarderOptions);
        int first = hadKeys ? 0 : 10, count = 15 - first;
        Assert.Equal(Enumerable.Range(first, count).Select(static one => (long)one), await TakeAsync(count));
    }

    [BrokerFact]
    public async Task What_was_wrong_with_a_message_is_over_when_nothing_waits()
    {
        ForwarderOptions options = ForwarderOptions;
        options.OnUnroutable = UnroutableMode.DeadLetter;
        Send(0, 1);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, static state => state is { SetAside: 1, LastProblem: BridgeProblem.Unroutable });
        await UntilAsync(forwarder, static state => state is { Connected: true, Problem: BridgeProblem.None });
    }

    [BrokerFact]
    public async Task What_the_broker_refused_is_over_when_nothing_waits()
    {
        await DeclareAsync(("x-max-length", 1), ("x-overflow", "reject-publish"));
        Send(0, 5);
        await AssertOverAsync(BridgeProblem.Refused);
    }

    [BrokerFact]
    public async Task That_the_broker_takes_nothing_is_over_when_nothing_waits()
    {
        await DeclareAsync();
        await Broker.ControlAsync("set_vm_memory_high_watermark", "0.00000001");
        try
        {
            Send(0, 5);
            await AssertOverAsync(BridgeProblem.Blocked);
        }
        finally
        {
            await Broker.ControlAsync("set_vm_memory_high_watermark", "0.6");
        }
    }

    // It is told, then the forwarder ends, its messages are consumed by another, and it begins again.
    private async Task AssertOverAsync(BridgeProblem problem)
    {
        var forwarder = new Forwarder<Parcel>(Outbox, ForwarderOptions);
        await RunAsync(() => UntilAsync(forwarder, problem));
        using (Subscription<Parcel> other = Outbox.Subscribe("default"))
        {
            for (Parcel? parcel = null; other.TryDequeue(ref parcel);)
            {
            }
        }
        await RunAsync(() => UntilAsync(forwarder, static state => state is { Connected: true, Lag: 0, Problem: BridgeProblem.None }));

        async Task RunAsync(Func<Task> until)
        {
            using var end = new CancellationTokenSource();
            var running = Task.Run(() => forwarder.RunAsync(end.Token));
            await until();
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
    }

    /// <summary>What is told behind the commit may throw: the messages are sent, and the next ones are too.</summary>
    [BrokerFact]
    public async Task A_listener_that_throws_behind_the_commit_ends_nothing()
    {
        await DeclareAsync();
        using ActivityListener listener = ThrowAtEnd(
            "publish", 3, new TimeoutException("the exporter") { Source = "Exporter" }, out Func<bool> isThrown);
        Send(0, 20);
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, static state => state.Lag == 0);
        Send(20, 20);
        Run(new ReceiverOptions { Broker = Broker.Options, Queue = Name });
        Assert.Equal(Enumerable.Range(0, 40).Select(static one => (long)one), await TakeAsync(40));
        await UntilEmptyAsync();
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
        Assert.True(isThrown());
    }

    /// <summary>No receiver in another virtual host ever had what was sent before.</summary>
    [BrokerFact]
    public async Task Another_virtual_host_is_another_destination()
    {
        string host = $"host-{Name}";
        await Broker.ControlAsync("add_vhost", host);
        await Broker.ControlAsync("set_permissions", "-p", host, "guest", ".*", ".*", ".*");
        await DeclareAsync();
        Send(0, 10);
        await WhileForwardingAsync(
            Outbox, ForwarderOptions, static forwarder => UntilAsync(forwarder, static state => state is { Lag: 0, Messages: > 0 }));
        ReceiverOptions receive = ReceiverOptions;
        receive.Broker.VirtualHost = host;
        Receiver<Parcel> receiver = Run(receive);
        await UntilAsync(() => receiver.GetState().Connected);
        Send(10, 5);
        ForwarderOptions options = ForwarderOptions;
        options.Broker.VirtualHost = host;
        Run(options);
        Assert.Equal([10L, 11, 12, 13, 14], await TakeAsync(5));
        Assert.Equal(BridgeProblem.None, receiver.GetState().LastProblem);
    }

    /// <summary>
    /// Each connection is a good one, until the first message: the problem is an old one all the same, and not over in between.
    /// </summary>
    [BrokerFact]
    public async Task A_problem_that_comes_again_with_each_connection_is_the_same_one()
    {
        await DeclareAsync();
        string user = $"reader-{Name}";
        await Broker.ControlAsync("add_user", user, "secret");
        await Broker.ControlAsync("set_permissions", user, ".*", "", ".*");
        ForwarderOptions options = ForwarderOptions;
        (options.Broker.UserName, options.Broker.Password) = (user, "secret");
        Send(0, 1);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.AccessRefused);
        DateTime since = forwarder.GetState().ProblemSince!.Value;
        long connections = forwarder.GetState().Connections;
        await UntilAsync(forwarder, state =>
        {
            Assert.Equal(BridgeProblem.AccessRefused, state.Problem);
            Assert.InRange(state.ProblemSince!.Value, since - TimeSpan.FromSeconds(1), since + TimeSpan.FromSeconds(1));
            return state.Connections >= connections + 3;
        });
        await Broker.ControlAsync("set_permissions", user, ".*", ".*", ".*");
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
    }

    [BrokerFact]
    public async Task A_problem_of_the_connection_is_over_though_no_message_comes()
    {
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = ["127.0.0.1:1"];
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.Unreachable);
        options.Broker.Hosts = [Broker.Host];
        await UntilAsync(forwarder, static state => state is { Connected: true, Problem: BridgeProblem.None });
    }

    /// <summary>AMQP's texts are short, and its properties are one frame: what does not fit would close each connection.</summary>
    [BrokerFact]
    public async Task Properties_that_the_protocol_cannot_carry_make_dead_letters_and_the_others_go_on()
    {
        MessageProperties[] properties =
        [
            new() { MessageId = new string('i', 256) }, new() { CorrelationId = new string('c', 256) },
            new() { ReplyTo = new string('\u00e9', 128) }, new() { Headers = { [new string('h', 256)] = "value" } },
            new() { Headers = { ["long"] = new string('v', 5_000) } }, new() { Label = new string('l', 5_000) },
        ];
        Send(0, 5);
        foreach (MessageProperties one in properties)
        {
            Outbox.Enqueue(new Parcel { Number = -1, Text = "parcel -1" }, one);
        }
        Outbox.Enqueue(new Parcel { Number = 5, Text = "parcel 5" }, new MessageProperties { MessageId = new string('i', 255) });
        Send(6, 5);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        ForwarderOptions options = ForwarderOptions;
        // The shortest frames that AMQP has.
        options.Broker.Configure = static factory => factory.RequestedFrameMax = 4_096;
        Forwarder<Parcel> forwarder = Run(options);
        Assert.Equal(Enumerable.Range(0, 11).Select(static one => (long)one), await TakeAsync(11));
        await UntilAsync(() => forwarder.GetState().SetAside == properties.Length);
        Assert.Equal((1L, BridgeProblem.TooLarge), (forwarder.GetState().Connections, forwarder.GetState().LastProblem));
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        string?[] reasons = [.. subscription.DeadLetters.Select(static one => one.Reason)];
        Assert.Contains("MessageId has 256 bytes", reasons[0], StringComparison.Ordinal);
        Assert.Contains("a frame of this broker", reasons[^1], StringComparison.Ordinal);
    }

    // On a busy machine the letter may take a second attempt, behind later messages.
    private async Task AssertOneLetterAsync(Forwarder<Parcel> forwarder, string reason)
    {
        await UntilAsync(forwarder, static state => state.SetAside == 1);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        DeadLetter<Parcel> letter = Assert.Single(subscription.DeadLetters);
        Assert.Equal(10, letter.Message.Number);
        Assert.Contains(reason, letter.Reason, StringComparison.Ordinal);
        Assert.Equal((1L, BridgeProblem.TooLarge), (forwarder.GetState().SetAside, forwarder.GetState().LastProblem));
    }
}
