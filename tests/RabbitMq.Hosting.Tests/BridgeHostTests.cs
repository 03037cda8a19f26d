using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BlitQueue.RabbitMq.Hosting.Tests;

/// <summary>Forwarders and receivers of real hosts, with the real broker.</summary>
[Collection(BrokerCollection.Name)]
public sealed class BridgeHostTests(Broker broker) : BridgeHostFixture
{
    [BrokerFact]
    public async Task A_killed_broker_is_told_and_everything_arrives_once_it_is_back()
    {
        using IHost recipient = Recipient(
            Connection(broker), ("BlitQueue:orders:Receiver:QueueType", "classic"), Soon("Receiver", "MinRetryDelay"));
        using IHost sender = Sender(Connection(broker), Soon("Forwarders:default", "MinRetryDelay"));
        await recipient.StartAsync();
        await UntilAsync(recipient, "Receiver_orders", static entry => entry.Status == HealthStatus.Healthy);
        await sender.StartAsync();
        Send(sender, 0, 500);
        await TakeInOrderAsync(recipient, 0, 500);
        HealthReportEntry healthy =
            // What has arrived may not be confirmed yet.
            await UntilAsync(
                sender, "Forwarder_orders/default",
                static entry => entry.Status == HealthStatus.Healthy && entry.Data["lag"] is 0L);
        Assert.StartsWith("connected; ", healthy.Description, StringComparison.Ordinal);

        broker.Kill();
        try
        {
            Send(sender, 500, 500);
            HealthReportEntry lost =
                await UntilAsync(sender, "Forwarder_orders/default", static entry => entry.Status == HealthStatus.Unhealthy);
            Assert.StartsWith("Unreachable: ", lost.Description, StringComparison.Ordinal);
            Assert.Equal(500L, lost.Data["lag"]);
        }
        finally
        {
            // The other tests need it, too.
            await broker.StartAsync();
        }
        await TakeInOrderAsync(recipient, 500, 500);
        await UntilAsync(sender, "Forwarder_orders/default", static entry => entry.Status == HealthStatus.Healthy);

        await sender.StopAsync();
        await recipient.StopAsync();
        Assert.Equal(2, Log.Of("BridgeStopped").Length);
        Assert.Empty(Log.Of("BridgeStopLate"));
        Assert.Contains(Log.Of("BridgeProblem"), static line => line.Text.StartsWith(
            "Forwarder of 'orders/default' is hindered, Unreachable: ", StringComparison.Ordinal));
        string[] ofForwarder =
        [
            .. from line in Log.All
               where line.Event.Id is >= 300 and <= 303 && line.Text.StartsWith("Forwarder", StringComparison.Ordinal)
               select line.Event.Name,
        ];
        Assert.Equal(("BridgeStarted", "BridgeStopped"), (ofForwarder[0], ofForwarder[^1]));
        // A broker that is starting may take a connection and end it: then there are three.
        string[][] connections = [.. ofForwarder[1..^1].Chunk(2)];
        Assert.True(connections.Length >= 2);
        Assert.All(connections, static one => Assert.Equal(["BridgeConnected", "BridgeDisconnected"], one));
    }

    [BrokerFact]
    public async Task Wrong_credentials_are_unhealthy_and_the_text_says_so()
    {
        using IHost sender = Sender(Connection(broker, "guest:wrong"));
        await sender.StartAsync();
        HealthReportEntry refused =
            await UntilAsync(sender, "Forwarder_orders/default", static entry => entry.Status == HealthStatus.Unhealthy);
        Assert.StartsWith("AccessRefused: ", refused.Description, StringComparison.Ordinal);
        Assert.Contains("ACCESS_REFUSED", refused.Description, StringComparison.Ordinal);
        Assert.DoesNotContain("wrong", string.Join('\n', Log.All.Select(static line => line.Text)), StringComparison.Ordinal);
        await sender.StopAsync();
    }

    [BrokerFact]
    public async Task What_is_unconfirmed_at_a_stop_stays_in_the_queue()
    {
        // There is no queue for the key: the broker returns each message.
        using (IHost sender = Sender(Connection(broker)))
        {
            await sender.StartAsync();
            Send(sender, 0, 100);
            await UntilAsync(
                sender, "Forwarder_orders/default",
                static entry => entry.Description!.StartsWith("Unroutable: ", StringComparison.Ordinal));
            await sender.StopAsync();
        }
        Assert.Equal(100, MappedQueue.GetStatus(OutboxPath).MessageCount);
        using IHost recipient = Recipient(Connection(broker));
        using IHost next = Sender(Connection(broker));
        await recipient.StartAsync();
        await next.StartAsync();
        await TakeInOrderAsync(recipient, 0, 100);
        await next.StopAsync();
        await recipient.StopAsync();
    }

    [BrokerFact]
    public async Task A_missing_message_stops_the_receiver_and_not_the_host()
    {
        using IHost recipient = Recipient(Connection(broker), ("BlitQueue:orders:Receiver:GapPatience", "00:00:00.200"));
        await recipient.StartAsync();
        await UntilAsync(recipient, "Receiver_orders", static entry => entry.Status == HealthStatus.Healthy);
        await PublishAsync(broker, (0, -1), (16, 8));
        await UntilAsync(() => Log.Of("MessageMissing").Length == 1);
        LogLine line = Log.Of("MessageMissing")[0];
        Assert.Equal((LogLevel.Critical, 307), (line.Level, line.Event.Id));
        HealthReportEntry stopped = await UntilAsync(recipient, "Receiver_orders", static entry => entry.Exception is not null);
        Assert.Equal(HealthStatus.Unhealthy, stopped.Status);
        Assert.StartsWith("Gap, stopped: ", stopped.Description, StringComparison.Ordinal);
        Assert.IsType<MessageGapException>(stopped.Exception);
        await TakeInOrderAsync(recipient, 0, 1);
        Assert.False(recipient.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested);
        await recipient.StopAsync();
    }

    [BrokerFact]
    public async Task A_poisoned_message_is_logged_and_has_a_limit()
    {
        using IHost recipient = HostOf(
            static services =>
            {
                services.AddBlitQueue<Parcel>("orders").AddReceiver();
                services.AddHealthChecks().AddReceiver("orders", static limits => limits.MaxSetAside = 0);
            },
            Connection(broker), ("BlitQueue:orders:Path", InboxPath), ("BlitQueue:orders:Receiver:Queue", Name),
            ("BlitQueue:orders:Receiver:DeclareQueue", "true"));
        await recipient.StartAsync();
        await UntilAsync(recipient, "Receiver_orders", static entry => entry.Status == HealthStatus.Healthy);
        // The position is not behind its predecessor: no forwarder has sent it.
        await PublishAsync(broker, (5, 5), (0, -1));
        await TakeInOrderAsync(recipient, 0, 1);
        await UntilAsync(recipient, "Receiver_orders", static entry => entry.Status == HealthStatus.Degraded
            && entry.Description!.StartsWith("1 messages were set aside, the last one: ", StringComparison.Ordinal));
        Assert.Equal(LogLevel.Error, Assert.Single(Log.Of("MessageSetAside")).Level);
        await recipient.StopAsync();
    }

    private static (string, string) Soon(string part, string key) => ($"BlitQueue:orders:{part}:Broker:{key}", "00:00:00.050");
}
