namespace BlitQueue.RabbitMq;

/// <summary>What is forwarded, and where to.</summary>
/// <example>
/// <code>
/// var options = new ForwarderOptions { Exchange = "shop", RoutingKey = "orders" };
/// options.Broker.Hosts = ["rabbit-1", "rabbit-2", "rabbit-3"];
/// </code>
/// </example>
public sealed class ForwarderOptions
{
    // All consumers of a subscription together can lease 2,047 messages.
    internal const int LargestWindow = 2047;

    /// <summary>The broker.</summary>
    public BrokerOptions Broker { get; set; } = new();

    /// <summary>
    /// The subscription of the local queue whose messages are forwarded. The forwarder is its only consumer. Default: <c>default</c>.
    /// </summary>
    public string Subscription { get; set; } = "default";

    /// <summary>The exchange. Default: empty, the broker's own exchange, where <see cref="RoutingKey"/> is a queue's name.</summary>
    public string Exchange { get; set; } = "";

    /// <summary>
    /// The routing key of every message; with <see cref="RoutingKeyHeader"/> of those without that header. Default: empty.
    /// </summary>
    public string RoutingKey { get; set; } = "";

    /// <summary>
    /// The name of a header of the local messages (<see cref="MessageProperties.Headers"/>) whose value is the message's routing key: for
    /// replies, each to the queue that its request names in <see cref="MessageProperties.ReplyTo"/>. Order, "once" and the notice of
    /// missing messages are those of the messages with the same key; a loss of what an earlier run of the forwarder sent is not noticed.
    /// One key that no queue is bound to makes all wait, unless <see cref="OnUnroutable"/> sets its messages aside. Default: null, none.
    /// </summary>
    public string? RoutingKeyHeader { get; set; }

    /// <summary>
    /// Whether to make the exchange, durable, where it does not exist. One that exists with other properties is never changed: that is
    /// <see cref="BridgeProblem.TopologyMismatch"/>. Default: false, it must exist.
    /// </summary>
    public bool DeclareExchange { get; set; }

    /// <summary>
    /// The kind of exchange to make: <c>direct</c>, <c>topic</c>, <c>fanout</c> or <c>headers</c>. Default: <c>direct</c>.
    /// </summary>
    public string ExchangeType { get; set; } = "direct";

    /// <summary>How many messages may be published and not yet confirmed, 1 to 2,047. Default: 1,024.</summary>
    public int Window { get; set; } = 1024;

    /// <summary>
    /// Whether only messages are forwarded that are on the local disk, so that no power loss takes back what the other machine has.
    /// <see cref="SubscriptionOptions.DurableOnly"/> says who brings them there. Default: false.
    /// </summary>
    public bool DurableOnly { get; set; }

    /// <summary>
    /// Longer messages become dead letters of the subscription, bytes of the packed message; 1 B to 128 MiB, which is the most that a
    /// receiver's client takes. The broker's own limit counts, too. Default: 128 MiB.
    /// </summary>
    public long MaxMessageSize { get; set; } = BrokerOptions.MaxMessageSize;

    /// <summary>What becomes of a message that the exchange has no queue for. Default: <see cref="UnroutableMode.Wait"/>.</summary>
    public UnroutableMode OnUnroutable { get; set; } = UnroutableMode.Wait;

    /// <summary>
    /// Whether the broker, too, drops messages whose time to live is over. A <see cref="Receiver{T}"/> takes such a message for a missing
    /// one, and does not need this: it gets the time, and its local queue drops the message. Default: false.
    /// </summary>
    public bool ExpireAtBroker { get; set; }

    /// <summary>
    /// Whether each message carries a description of its type's members (<see cref="MessageSchema.Text"/>, for most types some hundred
    /// bytes; one longer than 16 KiB, or than half a frame of the broker, does not go along). By it a receiver with another version of the
    /// type decides whether it can read the message. Without it only receivers of the same version can. Default: true.
    /// </summary>
    public bool SendSchema { get; set; } = true;

    /// <summary>
    /// The file that stores the source's identity and how far the broker has confirmed; 80 KiB. Default: null, the queue's path with
    /// <c>.SUBSCRIPTION.forward</c> behind it, which is also the lock by which one process forwards at a time. With another path, that file
    /// is made all the same, empty, because it is the lock.
    /// </summary>
    public string? StatePath { get; set; }

    internal ForwarderOptions Validated()
    {
        Broker.Validate();
        Require(!string.IsNullOrWhiteSpace(Subscription), nameof(Subscription), "a subscription's name", Subscription);
        Require(Exchange is not null, nameof(Exchange), "not null", Exchange);
        Require(RoutingKey is not null, nameof(RoutingKey), "not null", RoutingKey);
        Require(
            Exchange!.Length > 0 || RoutingKey!.Length > 0 || RoutingKeyHeader is not null, nameof(RoutingKey),
            "a queue's name where Exchange is empty", RoutingKey);
        Require(RoutingKeyHeader is not "", nameof(RoutingKeyHeader), "null, or a header's name", RoutingKeyHeader);
        Require(Exchange.Length > 0 || !DeclareExchange, nameof(DeclareExchange), "false where Exchange is empty", DeclareExchange);
        Require(!string.IsNullOrWhiteSpace(ExchangeType), nameof(ExchangeType), "a kind of exchange", ExchangeType);
        OptionCheck.RequireShort($"{nameof(ForwarderOptions)}.{nameof(Exchange)}", Exchange);
        OptionCheck.RequireShort($"{nameof(ForwarderOptions)}.{nameof(RoutingKey)}", RoutingKey);
        Require(Window is >= 1 and <= LargestWindow, nameof(Window), "1 to 2,047", Window);
        Require(
            MaxMessageSize is >= 1 and <= BrokerOptions.MaxMessageSize, nameof(MaxMessageSize), "1 to 134,217,728", MaxMessageSize);
        Require(Enum.IsDefined(OnUnroutable), nameof(OnUnroutable), "one of the values of UnroutableMode", OnUnroutable);
        return (ForwarderOptions)MemberwiseClone();
    }

    private static void Require(bool isMet, string name, string range, object? value) =>
        OptionCheck.Require(isMet, $"{nameof(ForwarderOptions)}.{name}", range, value);
}
