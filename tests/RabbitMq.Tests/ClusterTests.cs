using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Three nodes, of which a majority dies at once: nothing is confirmed without one, and nothing is lost.</summary>
public sealed class ClusterTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    private readonly string _directory = Directory.CreateTempSubdirectory("blitqueue-cluster-").FullName;
    private readonly List<BrokerServer> _nodes = [];

    public void Dispose()
    {
        // The first one's name server is the last to go.
        _nodes.Reverse();
        _nodes.ForEach(static node => node.End());
        Directory.Delete(_directory, recursive: true);
    }

    [BrokerFact]
    public async Task Two_of_three_nodes_that_are_killed_at_once_lose_and_double_nothing()
    {
        const int Count = 6_000;
        for (int i = 0; i < 3; i++)
        {
            _nodes.Add(new BrokerServer(_nodes.FirstOrDefault()));
            await _nodes[i].BeginAsync();
        }
        await DeclareAsync();
        BrokerOptions options = _nodes[0].Options;
        options.Hosts = [.. _nodes.Select(static node => node.Host)];
        using var outbox = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"), new QueueOptions { SegmentSize = 1 << 20 });
        using var store = MappedStore.Open(Path.Combine(_directory, "b"), new QueueOptions { SegmentSize = 1 << 20 });
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>("parcels");
        using var end = new CancellationTokenSource();
        var forwarder = new Forwarder<Parcel>(outbox, new ForwarderOptions { Broker = options, RoutingKey = "parcels", Window = 256 });
        var receiver = new Receiver<Parcel>(
            store, "parcels", new ReceiverOptions { Broker = options, Queue = "parcels", GapPatience = Patience });
        var running = Task.WhenAll(Task.Run(() => forwarder.RunAsync(end.Token)), Task.Run(() => receiver.RunAsync(end.Token)));
        var sending = Task.Run(async () =>
        {
            for (int number = 0; number < Count; number++)
            {
                outbox.Enqueue(new Parcel { Number = number, Text = $"parcel {number}" });
                await Task.Delay(number % 50 == 0 ? 50 : 0);
            }
        });
        for (int kill = 0; kill < 2; kill++)
        {
            long goal = (kill + 1) * Count / 4;
            await UntilAsync(() => forwarder.GetState().Messages >= goal, forwarder);
            // Once with the first node, which the others joined, and once without.
            BrokerServer[] dead = kill == 0 ? [_nodes[1], _nodes[2]] : [_nodes[0], _nodes[1]];
            Array.ForEach(dead, static node => node.Kill());
            await Task.Delay(TimeSpan.FromSeconds(2));
            await Task.WhenAll(dead.Select(static node => node.StartAsync()));
        }
        await sending;
        using var giveUp = new CancellationTokenSource(Patience);
        for (int number = 0; number < Count; number++)
        {
            Assert.Equal(number, (await inbox.DequeueAsync(giveUp.Token)).Number);
        }
        await UntilAsync(() => forwarder.GetState().Lag == 0, forwarder);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.Equal(0, inbox.GetStatus().MessageCount);
    }

    private async Task DeclareAsync()
    {
        await using IConnection connection = await _nodes[0].ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(
            "parcels", durable: true, exclusive: false, autoDelete: false, new Dictionary<string, object?>
            {
                ["x-queue-type"] = "quorum",
                ["x-single-active-consumer"] = true,
                ["x-quorum-initial-group-size"] = 3,
            });
        // As DeliveryTests has it: a node that is killed within seconds of this has forgotten the queue's member when it is back.
        await Task.Delay(TimeSpan.FromSeconds(6));
    }

    private static async Task UntilAsync(Func<bool> isMet, Forwarder<Parcel> forwarder)
    {
        for (var watch = System.Diagnostics.Stopwatch.StartNew(); !isMet(); await Task.Delay(10))
        {
            Assert.True(watch.Elapsed < Patience, $"it did not come to this: {forwarder.GetState()}");
        }
    }
}
