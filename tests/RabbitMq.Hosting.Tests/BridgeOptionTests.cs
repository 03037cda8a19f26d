using BlitQueue.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace BlitQueue.RabbitMq.Hosting.Tests;

/// <summary>Where the options come from, and what is said of those that cannot be used. No broker is needed.</summary>
public sealed class BridgeOptionTests : BridgeHostFixture
{
    private const string Forward = "BlitQueue:orders:Forwarders:default:", Receive = "BlitQueue:orders:Receiver:";

    [Theory]
    [InlineData(Forward + "Windoww", "5", Forward + "Windoww is not known. The keys are Exchange, ")]
    [InlineData(Forward + "Window", "many", Forward + "Window is 'many': write a whole number")]
    [InlineData(Forward + "Window", "5000", "BlitQueue:orders:Forwarders:default, the connection string of its broker, or the callback of "
        + "AddForwarder): ForwarderOptions.Window is 5000. It must be 1 to 2,047.")]
    [InlineData(Forward + "Broker:Heartbeat", "5", Forward + "Broker:Heartbeat is '5': write a time")]
    [InlineData(Forward + "Broker:Port", "5", Forward + "Broker:Port is not known. The keys are Hosts, ")]
    [InlineData(Forward + "Broker:Connection", "other", "there is no ConnectionStrings:other")]
    [InlineData("ConnectionStrings:rabbitmq", "Password=secret;Hosts=,", "ConnectionStrings:rabbitmq: hosts is ','")]
    [InlineData("ConnectionStrings:rabbitmq", "secret", "ConnectionStrings:rabbitmq cannot be read")]
    [InlineData("ConnectionStrings:rabbitmq", "amqp://me:secret@", "ConnectionStrings:rabbitmq is no URI")]
    public async Task A_forwarder_that_cannot_run_as_configured_fails_the_start(string key, string value, string text)
    {
        using IHost host = Sender((key, value));
        OptionsValidationException refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains(text, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Receive + "OnGap", "Ignore", Receive + "OnGap is 'Ignore': write one of Stop, Accept")]
    [InlineData(Receive + "Queue", "", "ReceiverOptions.Queue is . It must be a queue's name.")]
    [InlineData(Receive + "Broker:Hosts:0", "rabbit:http", "BrokerOptions.Hosts has 'rabbit:http'")]
    public async Task A_receiver_that_cannot_run_as_configured_fails_the_start(string key, string value, string text)
    {
        using IHost host = Recipient((key, value));
        OptionsValidationException refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains(text, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_section_comes_after_the_connection_string_and_the_callback_last()
    {
        using IHost host = HostOf(
            static services => services.AddBlitQueue<Parcel>("orders")
                .AddForwarder(static options => (options.Window, options.Broker.ClientName) = (7, "shop"))
                .AddForwarder(subscription: "audit"),
            ("BlitQueue:orders:Path", OutboxPath),
            ("ConnectionStrings:rabbitmq", "amqps://me:a%40b@rabbit:5999/shop%2Fa"),
            ("ConnectionStrings:second", "Hosts=one,two:5673;UserName=you;Password=x;VirtualHost=v"),
            (Forward + "Window", "5"), (Forward + "Exchange", "shop"), (Forward + "Broker:VirtualHost", "other"),
            ("BlitQueue:orders:Forwarders:audit:Broker:Connection", "second"),
            ("BlitQueue:orders:Forwarders:audit:Broker:Hosts:0", "three"), ("BlitQueue:orders:Forwarders:audit:Broker:Hosts:1", "four"));
        IOptionsMonitor<ForwarderOptions> all = host.Services.GetRequiredService<IOptionsMonitor<ForwarderOptions>>();
        ForwarderOptions first = all.Get("orders/default"), second = all.Get("orders/audit");
        Assert.Equal((7, "shop", "shop"), (first.Window, first.Exchange, first.Broker.ClientName));
        Assert.Equal(("me", "a@b", "other", true), Of(first.Broker));
        Assert.Equal(["rabbit:5999"], first.Broker.Hosts);
        Assert.Equal(("you", "x", "v", false), Of(second.Broker));
        Assert.Equal(["three", "four"], second.Broker.Hosts);

        static (string, string, string, bool) Of(BrokerOptions broker) =>
            (broker.UserName, broker.Password, broker.VirtualHost, broker.UseTls);
    }

    [Fact]
    public void A_queue_must_be_there_and_has_one_of_each()
    {
        var services = new ServiceCollection();
        InvalidOperationException none = Assert.Throws<InvalidOperationException>(() => services.AddForwarder<Parcel>("orders"));
        Assert.Contains("call AddBlitQueue<Parcel>(\"orders\") first", none.Message, StringComparison.Ordinal);
        BlitQueueBuilder<Parcel> orders =
            services.AddBlitQueue<Parcel>("orders").AddForwarder().AddForwarder(subscription: "audit").AddReceiver();
        Assert.Contains("'orders/audit' has a forwarder", Assert.Throws<InvalidOperationException>(
            () => orders.AddForwarder(subscription: "audit")).Message, StringComparison.Ordinal);
        Assert.Contains("'orders' has a receiver", Assert.Throws<InvalidOperationException>(
            () => orders.AddReceiver()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_forwarder_subscribes_before_the_host_has_started()
    {
        using IHost host = HostOf(
            static services => services.AddBlitQueue<Parcel>("orders").AddForwarder(static options => options.RoutingKey = "q", "audit"),
            ("BlitQueue:orders:Path", OutboxPath), ("ConnectionStrings:rabbitmq", "amqp://127.0.0.1:1"));
        await host.StartAsync();
        Send(host, 0, 3);
        Assert.Equal(3, MappedQueue.GetStatus(OutboxPath).Subscriptions.Single(static one => one.Name == "audit").Lag);
        await UntilAsync(() => Log.Of("BridgeProblem").Length == 1);
        await host.StopAsync();
        Assert.Single(Log.Of("BridgeStopped"));
    }
}
