using System.Globalization;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Many producers, subscriptions and consumers at once, each a process of its own.</summary>
/// <remarks>With <c>BLITQUEUE_CROWD=5000000 BLITQUEUE_PATIENCE=3600</c> in the environment as a campaign.</remarks>
[Collection(ProcessCollection.Name)]
public sealed class CrowdTests : IDisposable
{
    private const int Producers = 4, ConsumersEach = 2;

    private static readonly string[] Subscriptions = ["left", "right"];

    private static readonly int Each =
        int.Parse(Environment.GetEnvironmentVariable("BLITQUEUE_CROWD") ?? "100000", CultureInfo.InvariantCulture) / Producers;

    private readonly Site _site = new();

    [Fact]
    public void Each_subscription_commits_each_message_exactly_once()
    {
        using var queue = MappedQueue<Parcel>.Open(
            _site.Queue, new QueueOptions { SegmentSize = 1 << 20, Capacity = 64 << 20, CreateDefaultSubscription = false });
        (string Subscription, Peer Peer)[] consumers =
        [
            .. from subscription in Subscriptions
               from seed in Enumerable.Range(1, ConsumersEach)
               select (subscription, Peer.Start(
                   _site, "crowd", $"subscription={subscription}", $"seed={seed}", $"producers={Producers}", $"count={Each}")),
        ];
        Peer[] producers = [];
        try
        {
            foreach ((string subscription, Peer peer) in consumers)
            {
                peer.WaitFor("ready");
                queue.Subscribe(subscription).Dispose();
            }
            producers = [.. Enumerable.Range(1, Producers).Select(producer => Peer.Start(
                _site, "produce", $"producer={producer}", $"count={Each}", "size=40", "buffered=1", $"capacity={64 << 20}"))];
            Assert.All(producers, static producer => Assert.Equal(0, producer.WaitForExit()));
            Assert.True(
                SpinWait.SpinUntil(() => queue.GetStatus().MessageCount == 0, Peer.Patience),
                $"{queue.GetStatus().MessageCount} messages are left.");
            Array.ForEach(consumers, static consumer => consumer.Peer.Finish());
            foreach (IGrouping<string, (string, Peer Peer)> one in consumers.GroupBy(static consumer => consumer.Subscription))
            {
                AssertOnce(one.Key, [.. one.Select(static consumer => Site.Read(consumer.Peer.LogPath + ".commits"))]);
            }
        }
        finally
        {
            Array.ForEach(producers, static peer => peer.Dispose());
            Array.ForEach(consumers, static consumer => consumer.Peer.Dispose());
        }
    }

    private static void AssertOnce(string subscription, byte[][] commits)
    {
        for (int message = 0; message < commits[0].Length; message++)
        {
            int count = commits.Sum(one => one[message]);
            Assert.True(count == 1, $"{subscription} committed message {message % Each} of producer {(message / Each) + 1} {count} times.");
        }
    }

    public void Dispose() => _site.Dispose();
}
