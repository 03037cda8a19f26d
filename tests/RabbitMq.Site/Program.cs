// One end of a bridge, until it is killed:
//   forward <queue's directory> <broker's host:port> <queue at the broker>
//   receive <store's directory> <broker's host:port> <queue at the broker>
// A fifth argument is the time between two heartbeats of the connection, seconds.
using System.Globalization;
using BlitQueue;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Site;

string path = args[1];
var broker = new BrokerOptions
{
    Hosts = [args[2]],
    MinRetryDelay = TimeSpan.FromMilliseconds(50),
    MaxRetryDelay = TimeSpan.FromSeconds(1),
    Heartbeat = TimeSpan.FromSeconds(args.Length > 4 ? int.Parse(args[4], CultureInfo.InvariantCulture) : 10),
};
if (args[0] == "forward")
{
    using var queue = MappedQueue<Parcel>.Open(path);
    var forwarder = new Forwarder<Parcel>(queue, new ForwarderOptions { Broker = broker, RoutingKey = args[3], Window = 256 });
    forwarder.ProblemChanged += Tell;
    await forwarder.RunAsync();
}
else
{
    using var store = MappedStore.Open(path);
    var receiver = new Receiver<Parcel>(store, "parcels", new ReceiverOptions { Broker = broker, Queue = args[3] });
    receiver.ProblemChanged += Tell;
    await receiver.RunAsync();
}

static void Tell(object? sender, BridgeProblemEventArgs problem) => Console.Error.WriteLine($"{problem.Problem} {problem.Text}");
