using BlitQueue.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Hosting.Tests;

/// <summary>Whatever stands in the way is a clear state in the health check and one line in the log.</summary>
[Collection(BrokerCollection.Name)]
public sealed class BridgeProblemTests(Broker broker) : BridgeHostFixture
{
    private const string Forward = "BlitQueue:orders:Forwarders:default:", Receive = "BlitQueue:orders:Receiver:";
    private const string Forwarder = "Forwarder_orders/default", Receiver = "Receiver_orders";

    [BrokerFact]
    public Task Wrong_credentials() => TellAsync(Sender(Connection(broker, "guest:wrong")), Forwarder, BridgeProblem.AccessRefused);

    [BrokerFact]
    public Task Wrong_credentials_of_a_receiver() =>
        TellAsync(Recipient(Connection(broker, "guest:wrong")), Receiver, BridgeProblem.AccessRefused);

    [BrokerFact]
    public Task A_missing_exchange() =>
        TellAsync(Sender(Connection(broker), (Forward + "Exchange", $"{Name}-none")), Forwarder, BridgeProblem.MissingExchange);

    [BrokerFact]
    public Task A_missing_queue() =>
        TellAsync(Recipient(Connection(broker), (Receive + "DeclareQueue", "false")), Receiver, BridgeProblem.MissingQueue);

    [BrokerFact]
    public async Task A_queue_of_another_kind()
    {
        await using (IConnection connection = await broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.QueueDeclareAsync(Name, durable: true, exclusive: false, autoDelete: false);
        }
        await TellAsync(Recipient(Connection(broker)), Receiver, BridgeProblem.TopologyMismatch);
    }

    [BrokerFact]
    public Task An_unroutable_message() => TellAsync(Sender(Connection(broker)), Forwarder, BridgeProblem.Unroutable, send: 1);

    [BrokerFact]
    public Task No_broker() => TellAsync(
        Sender(("ConnectionStrings:rabbitmq", "amqp://127.0.0.1:1")), Forwarder, BridgeProblem.Unreachable);

    [BrokerFact]
    public async Task A_message_that_is_too_large()
    {
        using IHost recipient = Recipient(Connection(broker));
        await recipient.StartAsync();
        await UntilAsync(recipient, Receiver, static entry => entry.Status == HealthStatus.Healthy);
        using IHost sender = Sender(Connection(broker), (Forward + "MaxMessageSize", "500"));
        await sender.StartAsync();
        MappedQueue<Parcel> queue = sender.Services.GetRequiredService<MappedQueue<Parcel>>();
        queue.Enqueue(new Parcel { Number = 0 });
        queue.Enqueue(new Parcel { Number = 100, Filling = new byte[1000] });
        queue.Enqueue(new Parcel { Number = 1 });
        // The others go on.
        await TakeInOrderAsync(recipient, 0, 2);
        await TellAsideAsync(sender, Forwarder, BridgeProblem.TooLarge);
        await sender.StopAsync();
        await recipient.StopAsync();
    }

    [BrokerFact]
    public async Task A_message_of_another_type()
    {
        using IHost recipient = Recipient(Connection(broker));
        await recipient.StartAsync();
        await UntilAsync(recipient, Receiver, static entry => entry.Status == HealthStatus.Healthy);
        await using (IConnection connection = await broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
            var properties = new BasicProperties
            {
                Type = "Order",
                ContentType = "application/x-blitqueue; schema=0123456789abcdef",
                AppId = "blitqueue/me/0/-1",
            };
            await channel.BasicPublishAsync("", Name, mandatory: true, properties, new byte[10]);
        }
        await PublishAsync(broker, (8, 0));
        await TakeInOrderAsync(recipient, 8, 1);
        await TellAsideAsync(recipient, Receiver, BridgeProblem.UnreadableMessage);
        await recipient.StopAsync();
    }

    [BrokerFact]
    public async Task A_problem_is_degraded_before_it_is_unhealthy()
    {
        using IHost sender = HostOf(
            static services =>
            {
                services.AddBlitQueue<Parcel>("orders").AddForwarder();
                services.AddHealthChecks().AddForwarder("orders", static limits => limits.Grace = TimeSpan.FromHours(1), name: "patient");
                services.AddHealthChecks().AddForwarder("orders", static limits => limits.Grace = TimeSpan.Zero, name: "strict");
                services.AddHealthChecks().AddForwarder(
                    "orders", static limits => limits.Grace = TimeSpan.FromSeconds(2), name: "usual");
            },
            ("BlitQueue:orders:Path", OutboxPath), (Forward + "RoutingKey", Name), ("ConnectionStrings:rabbitmq", "amqp://127.0.0.1:1"));
        await sender.StartAsync();
        await UntilAsync(sender, "strict", static entry => entry.Status == HealthStatus.Unhealthy);
        HealthReportEntry patient = await UntilAsync(
            sender, "patient", static entry => entry.Description!.StartsWith("Unreachable: ", StringComparison.Ordinal));
        Assert.Equal(HealthStatus.Degraded, patient.Status);
        await UntilAsync(sender, "usual", static entry => entry.Status == HealthStatus.Unhealthy);
        await sender.StopAsync();
    }

    private async Task TellAsync(IHost host, string check, BridgeProblem problem, int send = 0)
    {
        using (host)
        {
            await host.StartAsync();
            Send(host, 0, send);
            HealthReportEntry entry = await UntilAsync(
                host, check, one => one.Description!.StartsWith($"{problem}: ", StringComparison.Ordinal));
            Assert.Equal(HealthStatus.Unhealthy, entry.Status);
            Assert.Equal(problem.ToString(), entry.Data["problem"]);
            LogLine line = Assert.Single(
                Log.Of("BridgeProblem"), one => one.Text.Contains($"is hindered, {problem}: ", StringComparison.Ordinal));
            Assert.Equal((LogLevel.Warning, 304), (line.Level, line.Event.Id));
            await host.StopAsync();
        }
    }

    private async Task TellAsideAsync(IHost host, string check, BridgeProblem problem)
    {
        HealthReportEntry entry = await UntilAsync(host, check, static one => one.Status == HealthStatus.Degraded);
        Assert.StartsWith("1 messages were set aside, the last one: ", entry.Description, StringComparison.Ordinal);
        LogLine line = Assert.Single(Log.Of("MessageSetAside"));
        Assert.Equal((LogLevel.Error, 306), (line.Level, line.Event.Id));
        Assert.Contains($"set a message aside, {problem}: ", line.Text, StringComparison.Ordinal);
    }
}
