using BlitQueue.RabbitMq.Tests;
using RabbitMQ.Client;

namespace BlitQueue.Reliability.Beyond;

/// <summary>The queue at the broker.</summary>
internal static class BeyondQueue
{
    // A broker (3.10) that is killed within seconds of a quorum queue's declaration has forgotten the queue's member when it is back, and
    // the queue never has a leader again.
    private static readonly TimeSpan QuorumTime = TimeSpan.FromSeconds(6);

    /// <param name="broker">Any node.</param>
    /// <param name="name">The queue's.</param>
    /// <param name="nodes">On how many nodes it has a member.</param>
    public static async Task DeclareAsync(BrokerServer broker, string name, int nodes)
    {
        await using (IConnection connection = await broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.QueueDeclareAsync(
                name, durable: true, exclusive: false, autoDelete: false,
                new Dictionary<string, object?>
                {
                    ["x-queue-type"] = "quorum",
                    ["x-single-active-consumer"] = true,
                    ["x-quorum-initial-group-size"] = nodes,
                });
        }
        await Task.Delay(QuorumTime);
    }

    /// <summary>How many messages it has that were not delivered.</summary>
    public static async Task<uint> CountAsync(BrokerServer broker, string name)
    {
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        return await channel.MessageCountAsync(name);
    }
}
