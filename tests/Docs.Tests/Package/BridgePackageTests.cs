using BlitQueue.RabbitMq.Tests;

namespace BlitQueue.Docs.Package;

/// <summary>Users who install a package of the bridge alone, from a folder, and a real broker between their two stores.</summary>
[Collection(PackedPackage.Name)]
public sealed class BridgePackageTests(PackedPackage packed, Broker broker) : IClassFixture<Broker>
{
    [BrokerFact]
    public void A_console_that_refers_to_the_bridge_alone_is_built_and_sends_from_store_to_store()
    {
        using var user = new UserFolder(packed);
        user.NewProject("BlitQueue.RabbitMq", """
            using BlitQueue;
            using BlitQueue.RabbitMq;

            var broker = new BrokerOptions { Hosts = [args[0]] };
            using var orders = MappedQueue<Order>.Open("orders");
            using var store = MappedStore.Open("store");
            using MappedQueue<Order> received = store.OpenQueue<Order>("orders");
            using var stopping = new CancellationTokenSource();
            IBridge[] bridges =
            [
                new Forwarder<Order>(orders, new ForwarderOptions { Broker = broker, RoutingKey = "console" }),
                new Receiver<Order>(store, "orders", new ReceiverOptions { Broker = broker, Queue = "console", DeclareQueue = true }),
            ];
            Task running = Task.WhenAll(bridges.Select(bridge => bridge.RunAsync(stopping.Token)));
            foreach (string customer in new[] { "Ada", "Grace" })
            {
                orders.Enqueue(new Order { Customer = customer });
            }
            for (int i = 0; i < 2; i++)
            {
                Console.WriteLine($"bill for {(await received.DequeueAsync()).Customer}");
            }
            stopping.Cancel();
            await running.ContinueWith(static _ => { });

            [QueueMessage]
            public partial class Order { public string Customer { get; set; } = ""; }
            """);
        Assert.EndsWith("bill for Ada\nbill for Grace\n", user.Dotnet("app", "run", "--", broker.Host), StringComparison.Ordinal);
    }

    [BrokerFact]
    public void A_host_that_refers_to_the_hosting_of_the_bridge_alone_is_built_and_sends_from_store_to_store()
    {
        using var user = new UserFolder(packed);
        user.NewProject("BlitQueue.RabbitMq.Hosting", """
            using BlitQueue;
            using BlitQueue.Hosting;
            using BlitQueue.RabbitMq;
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.Services.AddBlitQueue<Order>("here", options => options.Path = "a/orders").AddForwarder();
            builder.Services.AddBlitQueue<Order>("there", options => options.Path = "b/orders").AddReceiver().AddConsumer<Billing>();
            builder.Services.AddHealthChecks().AddForwarder("here").AddReceiver("there");
            using IHost host = builder.Build();
            host.Services.GetRequiredKeyedService<MappedQueue<Order>>("here").Enqueue(new Order { Customer = "Ada" });
            host.Run();

            [QueueMessage]
            public partial class Order { public string Customer { get; set; } = ""; }

            public sealed class Billing(IHostApplicationLifetime host) : IQueueHandler<Order>
            {
                public ValueTask HandleAsync(Order message, MessageContext context, CancellationToken cancellationToken)
                {
                    Console.WriteLine($"bill for {message.Customer}");
                    host.StopApplication();
                    return default;
                }
            }
            """);
        user.Settings["ConnectionStrings__rabbitmq"] = $"amqp://guest:guest@{broker.Host}";
        user.Settings["BlitQueue__here__Forwarders__default__RoutingKey"] = "host";
        user.Settings["BlitQueue__there__Receiver__Queue"] = "host";
        user.Settings["BlitQueue__there__Receiver__DeclareQueue"] = "true";
        Assert.Contains("bill for Ada\n", user.Dotnet("app", "run"), StringComparison.Ordinal);
    }
}
