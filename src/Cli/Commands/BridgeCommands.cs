using BlitQueue.Cli.Bridging;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;
using BlitQueue.RabbitMq;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq forward</c> and <c>blitq receive</c>: a queue through a RabbitMQ broker, for those who write no code.</summary>
internal static class BridgeCommands
{
    // Where a password is not in the list of processes.
    private const string Variable = "BLITQ_BROKER";

    private static readonly TimeSpan StallTime = TimeSpan.FromSeconds(10);

    public static Command MakeForward()
    {
        Option<string> key = Key("The routing key of every message; without --exchange the name of the broker's queue.");
        Option<string> exchange = Exchange("The exchange; without it the broker's own.");
        var declare = new Option<bool>("--declare") { Description = "Make the exchange, if there is none." };
        Option<string?> subscription = Shared.Subscription("The subscription whose messages are forwarded; without it 'default'.");
        var durable = new Option<bool>("--durable") { Description = "Only what is on the disk, so that a power loss takes nothing back." };
        return Make(
            "forward", "Send a subscription's messages to a RabbitMQ broker, and consume what it has confirmed.",
            [key, exchange, declare, subscription, durable], (ends, result) => Forward(ends, new ForwarderOptions
            {
                Broker = ends.Broker,
                Subscription = result.GetValue(subscription) ?? "default",
                Exchange = result.GetValue(exchange) ?? "",
                RoutingKey = result.GetValue(key) ?? "",
                DeclareExchange = result.GetValue(declare),
                DurableOnly = result.GetValue(durable),
            }));
    }

    private static int Forward(Ends ends, ForwarderOptions options)
    {
        // A name that is mistyped would make a subscription that blocks room for ever.
        WritableQueue.RequireSubscription(ends.Path, options.Subscription);
        using MappedQueue<PackedMessage> queue = WritableQueue.Open(ends.Path, StallTime, out StoredSchema schema);
        return ends.Run.Run(new Forwarder<PackedMessage>(queue, options, ends.IsJson ? new JsonBody(schema) : null), "forwarded");
    }

    public static Command MakeReceive()
    {
        var from = new Option<string>("--from", "-f") { Description = "The broker's queue.", Required = true };
        var declare = new Option<bool>("--declare") { Description = "Make the broker's queue, a quorum queue, if there is none." };
        Option<string> exchange = Exchange("With --declare: an exchange to bind the broker's queue to.");
        Option<string> key = Key("With --exchange: the routing key.");
        var durable = new Option<bool>("--durable")
        {
            Description = "Acknowledge what is on the disk, so that a power loss takes nothing back that the broker has no more.",
        };
        var gaps = new Option<bool>("--accept-gaps") { Description = "Go on where messages are missing, instead of ending with 1." };
        return Make(
            "receive", "Take the messages of a RabbitMQ broker's queue into a queue, once and in order.",
            [from, declare, exchange, key, durable, gaps], (ends, result) => Receive(ends, result.GetValue(durable), new ReceiverOptions
            {
                Broker = ends.Broker,
                Queue = result.GetValue(from)!,
                DeclareQueue = result.GetValue(declare),
                Exchange = result.GetValue(exchange),
                RoutingKey = result.GetValue(key) ?? "",
                OnGap = result.GetValue(gaps) ? GapMode.Accept : GapMode.Stop,
            }));
    }

    private static int Receive(Ends ends, bool isDurable, ReceiverOptions options)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(ends.Path));
        using MappedQueue<PackedMessage> queue = WritableQueue.Open(full, StallTime, out StoredSchema schema);
        using var store = MappedStore.Open(
            Path.GetDirectoryName(full)!, new QueueOptions { Durability = isDurable ? Durability.Commit : Durability.PageCache });
        BodyFormat<PackedMessage> format = ends.IsJson ? new JsonBody(schema) : new PackedBody(schema);
        return ends.Run.Run(new Receiver<PackedMessage>(store, Path.GetFileName(full), options, queueOptions: null, format), "received");
    }

    // A command that has the options of both, behind its own.
    private static Command Make(string name, string description, IEnumerable<Symbol> own, Func<Ends, ParseResult, int> run)
    {
        Argument<string> queue = Shared.Queue();
        Option<string?> broker = Broker();
        Option<bool> json = Json();
        Option<double?> idle = Idle(), wait = Wait();
        return Shared.Command(name, description, [queue, .. own, broker, json, idle, wait], result => run(
            new Ends(
                result.GetValue(queue)!, BrokerOf(result.GetValue(broker)), result.GetValue(json),
                new BridgeRun(Seconds(result.GetValue(idle)), Seconds(result.GetValue(wait)))),
            result));
    }

    private static BrokerOptions BrokerOf(string? uri)
    {
        var options = new BrokerOptions();
        if ((uri ?? Environment.GetEnvironmentVariable(Variable)) is not { Length: > 0 } given)
        {
            return options;
        }
        try
        {
            options.SetUri(given);
            return options;
        }
        catch (ArgumentException exception)
        {
            throw new UsageException($"{(uri is null ? Variable : "--broker")}: {exception.Message}");
        }
    }

    private static TimeSpan? Seconds(double? seconds) => seconds is { } given ? Shared.Seconds(given) : null;

    private static Option<string> Key(string description) => new("--key", "-k") { Description = description };

    private static Option<string> Exchange(string description) => new("--exchange", "-x") { Description = description };

    private static Option<string?> Broker() => new("--broker")
    {
        Description = $"amqp://user:password@host:5672/virtualhost; without it the variable {Variable}, or the broker of this machine.",
    };

    private static Option<bool> Json() => new("--json") { Description = "Bodies in JSON, for another end that is no BlitQueue." };

    private static Option<double?> Idle() => new("--idle") { Description = "End when nothing has moved for so many seconds." };

    private static Option<double?> Wait() => new("--wait")
    {
        Description = "Give up when something has been in the way for so many seconds; without it never.",
    };

    /// <summary>The queue, the broker, what bodies are, and for how long.</summary>
    private sealed record Ends(string Path, BrokerOptions Broker, bool IsJson, BridgeRun Run);
}
