using BlitQueue.RabbitMq;

namespace BlitQueue.Reliability.Beyond;

/// <summary>One end as a process, until it is killed or its input ends. It prints the name of each problem that it meets.</summary>
internal static class BeyondSite
{
    public const string Forward = "forward", Receive = "receive";

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    /// <param name="arguments">
    /// The end, the directory of its queue or store, the broker's hosts with commas between them, the queue at the broker.
    /// </param>
    public static int Run(string[] arguments)
    {
        using var end = new CancellationTokenSource();
        // The campaign has died.
        _ = Task.Run(() => { Console.In.ReadToEnd(); end.Cancel(); });
        var broker = new BrokerOptions
        {
            Hosts = arguments[2].Split(','),
            MinRetryDelay = TimeSpan.FromMilliseconds(50),
            MaxRetryDelay = TimeSpan.FromSeconds(1),
            Heartbeat = TimeSpan.FromSeconds(3),
            ConnectTimeout = TimeSpan.FromSeconds(5),
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
        for (; ; await Task.Delay(Pause, end))
        {
            try
            {
                await (forwards ? ForwardAsync(path, broker, name, end) : ReceiveAsync(path, broker, name, end));
            }
            catch (QueueFullException)
            {
                // Not even the files that it makes as it starts fit on the disk.
                Console.WriteLine(BridgeProblem.LocalQueueFull);
            }
        }
    }

    private static async Task ForwardAsync(string path, BrokerOptions broker, string name, CancellationToken end)
    {
        using var queue = MappedQueue<Parcel>.Open(path);
        var forwarder = new Forwarder<Parcel>(queue, new ForwarderOptions { Broker = broker, RoutingKey = name, Window = 256 });
        forwarder.ProblemChanged += Tell;
        await forwarder.RunAsync(end);
    }

    private static async Task ReceiveAsync(string path, BrokerOptions broker, string name, CancellationToken end)
    {
        using var store = MappedStore.Open(path);
        // Longer than a queue of the broker is without a leader while nodes are killed one after the other.
        var options = new ReceiverOptions { Broker = broker, Queue = name, GapPatience = TimeSpan.FromMinutes(3) };
        var receiver = new Receiver<Parcel>(store, BeyondEnds.Inbox, options);
        receiver.ProblemChanged += Tell;
        await receiver.RunAsync(end);
    }

    private static void Tell(object? sender, BridgeProblemEventArgs problem)
    {
        if (problem.Problem != BridgeProblem.None)
        {
            Console.WriteLine(problem.Problem);
        }
    }
}
