namespace BlitQueue.Docs.Package;

/// <summary>Users who install one of the other packages alone: it brings the queue, its generator and its analyzers along.</summary>
[Collection(PackedPackage.Name)]
public sealed class HostingPackageTests(PackedPackage packed)
{
    [Fact]
    public void A_worker_that_refers_to_hosting_alone_is_built_and_handles_a_message()
    {
        using var user = new UserFolder(packed);
        user.NewProject("BlitQueue.Hosting", """
            using BlitQueue;
            using BlitQueue.Hosting;
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.Services.AddBlitQueue<Order>("orders", options => options.Path = "orders").AddConsumer<Billing>();
            IHost host = builder.Build();
            host.Services.GetRequiredService<MappedQueue<Order>>().Enqueue(new Order { Customer = "Ada" });
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
        Assert.Contains("bill for Ada\n", user.Dotnet("app", "run"), StringComparison.Ordinal);
    }

    /// <summary>Without a broker: messages wait in the queue, and the state says why.</summary>
    [Fact]
    public void A_bridge_that_refers_to_its_hosting_alone_is_built_and_says_what_stands_in_the_way()
    {
        using var user = new UserFolder(packed);
        user.NewProject("BlitQueue.RabbitMq.Hosting", """
            using BlitQueue;
            using BlitQueue.RabbitMq;
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.Services.AddBlitQueue<Order>("orders", options => options.Path = "orders").AddForwarder(options =>
            {
                options.RoutingKey = "orders";
                options.Broker.Hosts = ["127.0.0.1:9"];
            });
            IHost host = builder.Build();
            await host.StartAsync();
            host.Services.GetRequiredService<MappedQueue<Order>>().Enqueue(new Order { Customer = "Ada" });
            var forwarder = host.Services.GetRequiredKeyedService<Forwarder<Order>>("orders/default");
            while (forwarder.GetState().Problem == BridgeProblem.None)
            {
                await Task.Delay(10);
            }
            Console.WriteLine($"{forwarder.GetState().Problem}, {forwarder.GetState().Lag} waiting");
            await host.StopAsync();

            [QueueMessage]
            public partial class Order { public string Customer { get; set; } = ""; }
            """);
        Assert.Contains("Unreachable, 1 waiting\n", user.Dotnet("app", "run"), StringComparison.Ordinal);
    }
}
