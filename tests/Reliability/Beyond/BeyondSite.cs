using BlitQueue.RabbitMq;

namespace BlitQueue.Reliability.Beyond;

/// <summary>One end as a process, until it is killed or its input ends.</summary>
internal static class BeyondSite
{
    public const string Forward = "forward", Receive = "receive";

    /// <param name="arguments">The end, the directory of its queue or store, the broker's host, the queue at the broker.</param>
    public static int Run(string[] arguments)
    {
        using var end = new CancellationTokenSource();
        // The campaign has died.
        _ = Task.Run(() => { Console.In.ReadToEnd(); end.Cancel(); });
        var broker = new BrokerOptions
        {
            Hosts = [arguments[2]],
            MinRetryDelay = TimeSpan.FromMilliseconds(50),
            MaxRetryDelay = TimeSpan.FromSeconds(1),
        };
        try
        {
            RunAsync(arguments[0] == Forward, arguments[1], broker, arguments[3], end.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
        }
        return 0;
    }

    private static async Task RunAsync(bool forwards, string path, BrokerOptions broker, string name, CancellationToken end)
    {
        if (forwards)
        {
            using var queue = MappedQueue<Parcel>.Open(path);
            var forwarder = new Forwarder<Parcel>(queue, new ForwarderOptions { Broker = broker, RoutingKey = name, Window = 256 });
            await forwarder.RunAsync(end);
        }
        else
        {
            using var store = MappedStore.Open(path);
            var receiver = new Receiver<Parcel>(store, BeyondRound.Inbox, new ReceiverOptions { Broker = broker, Queue = name });
            await receiver.RunAsync(end);
        }
    }
}
