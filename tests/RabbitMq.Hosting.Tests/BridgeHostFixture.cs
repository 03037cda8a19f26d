using BlitQueue.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Hosting.Tests;

/// <summary>Real hosts, whose logs can be read, with directories that stand for two machines.</summary>
public abstract class BridgeHostFixture : IDisposable
{
    protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-bridges-");

    /// <summary>The name of the queue at the broker.</summary>
    protected string Name { get; } = $"test-{Guid.NewGuid():N}";

    protected string OutboxPath => Path.Combine(_folder.FullName, "a", "orders");

    protected string InboxPath => Path.Combine(_folder.FullName, "b", "orders");

    /// <summary>What all hosts of the test have logged.</summary>
    internal LogLines Log { get; } = new();

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>A host with nothing but what a test adds: no files of configuration, no console.</summary>
    protected IHost HostOf(Action<IServiceCollection> add, params (string Key, string Value)[] configuration)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        foreach ((string key, string value) in configuration)
        {
            // The last one counts.
            builder.Configuration[key] = value;
        }
        builder.Logging.AddProvider(Log);
        add(builder.Services);
        return builder.Build();
    }

    /// <summary>The host of machine A: the queue and its forwarder, all from configuration.</summary>
    protected IHost Sender(params (string Key, string Value)[] configuration) => HostOf(
        static services =>
        {
            services.AddBlitQueue<Parcel>("orders").AddForwarder();
            services.AddHealthChecks().AddForwarder("orders", AtOnce);
        },
        [("BlitQueue:orders:Path", OutboxPath), ("BlitQueue:orders:Forwarders:default:RoutingKey", Name), .. configuration]);

    /// <summary>The host of machine B: the queue and its receiver, all from configuration.</summary>
    protected IHost Recipient(params (string Key, string Value)[] configuration) => HostOf(
        static services =>
        {
            services.AddBlitQueue<Parcel>("orders").AddReceiver();
            services.AddHealthChecks().AddReceiver("orders", AtOnce);
        },
        [
            ("BlitQueue:orders:Path", InboxPath), ("BlitQueue:orders:Receiver:Queue", Name),
            ("BlitQueue:orders:Receiver:DeclareQueue", "true"), .. configuration,
        ]);

    /// <summary>No time of grace, and every message that was set aside counts.</summary>
    protected static void AtOnce(BridgeHealthOptions limits) => (limits.Grace, limits.MaxSetAside) = (TimeSpan.Zero, 0);

    protected static (string, string) Connection(Broker broker, string user = "guest:guest") =>
        ("ConnectionStrings:rabbitmq", $"amqp://{user}@{broker.Host}/%2F");

    protected static async Task UntilAsync(Func<bool> isTrue)
    {
        using var giveUp = new CancellationTokenSource(Patience);
        while (!isTrue())
        {
            await Task.Delay(10, giveUp.Token);
        }
    }

    protected static async Task<HealthReportEntry> UntilAsync(IHost host, string check, Func<HealthReportEntry, bool> isTrue)
    {
        using var giveUp = new CancellationTokenSource(Patience);
        for (; ; )
        {
            HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(giveUp.Token);
            if (isTrue(report.Entries[check]))
            {
                return report.Entries[check];
            }
            await Task.Delay(20, giveUp.Token);
        }
    }

    protected static void Send(IHost host, int first, int count)
    {
        MappedQueue<Parcel> queue = host.Services.GetRequiredService<MappedQueue<Parcel>>();
        for (int number = first; number < first + count; number++)
        {
            queue.Enqueue(new Parcel { Number = number });
        }
    }

    protected static async Task TakeInOrderAsync(IHost host, int first, int count)
    {
        MappedQueue<Parcel> queue = host.Services.GetRequiredService<MappedQueue<Parcel>>();
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = first; number < first + count; number++)
        {
            Assert.Equal(number, (await queue.DequeueAsync(giveUp.Token)).Number);
        }
    }

    /// <summary>Publishes to the queue what a forwarder would, with this position and predecessor.</summary>
    protected async Task PublishAsync(Broker broker, params (long Position, long Previous)[] messages)
    {
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        foreach ((long position, long previous) in messages)
        {
            var properties = new BasicProperties
            {
                ContentType = $"application/x-blitqueue; schema={Parcel.Schema.Fingerprint:x16}",
                AppId = $"blitqueue/me/{position}/{previous}",
            };
            await channel.BasicPublishAsync("", Name, mandatory: true, properties, Packer.Pack(new Parcel { Number = position }));
        }
    }
}
