namespace BlitQueue.RabbitMq;

/// <summary>What is received.</summary>
/// <example>
/// <code>
/// var options = new ReceiverOptions { Queue = "orders", DeclareQueue = true, Exchange = "shop", RoutingKey = "orders" };
/// </code>
/// </example>
public sealed class ReceiverOptions
{
    /// <summary>The broker.</summary>
    public BrokerOptions Broker { get; set; } = new();

    /// <summary>The queue at the broker.</summary>
    public string Queue { get; set; } = "";

    /// <summary>
    /// Whether to make the queue, durable, with one active consumer at a time, where it does not exist. One that exists with other
    /// properties is never changed: that is <see cref="BridgeProblem.TopologyMismatch"/>. Default: false, it must exist.
    /// </summary>
    public bool DeclareQueue { get; set; }

    /// <summary>The kind of queue to make: <c>quorum</c> or <c>classic</c>. Default: <c>quorum</c>.</summary>
    public string QueueType { get; set; } = "quorum";

    /// <summary>
    /// The exchange to which the queue to make sends dead letters (it is made, too, as a fanout, with the queue <c>NAME.dead</c>). The
    /// receiver itself rejects nothing. Default: null, none.
    /// </summary>
    public string? DeadLetterExchange { get; set; }

    /// <summary>An exchange to bind the queue to where <see cref="DeclareQueue"/> is true; it must exist. Default: null, none.</summary>
    public string? Exchange { get; set; }

    /// <summary>The routing key of that binding. Default: empty.</summary>
    public string RoutingKey { get; set; } = "";

    /// <summary>
    /// How many messages the broker sends ahead, 1 to 65,535. More than the <see cref="ForwarderOptions.Window"/> of each source: what was
    /// published again comes after as many that came early, and those wait here in memory. Default: 4,096.
    /// </summary>
    public int Prefetch { get; set; } = 4096;

    /// <summary>How many messages one local transaction takes, at most; 1 to 4,000. Default: 256.</summary>
    public int BatchSize { get; set; } = 256;

    /// <summary>
    /// For how long a message that came early waits for those before it until they count as missing; longer than a forwarder needs to
    /// connect anew. Longer than zero. Default: 1 min.
    /// </summary>
    public TimeSpan GapPatience { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>What happens when a message is missing. Default: <see cref="GapMode.Stop"/>.</summary>
    public GapMode OnGap { get; set; } = GapMode.Stop;

    internal ReceiverOptions Validated()
    {
        Broker.Validate();
        Require(!string.IsNullOrEmpty(Queue), nameof(Queue), "a queue's name", Queue);
        Require(QueueType is "quorum" or "classic", nameof(QueueType), "quorum or classic", QueueType);
        Require(RoutingKey is not null, nameof(RoutingKey), "not null", RoutingKey);
        Require(
            DeadLetterExchange is null || DeclareQueue, nameof(DeadLetterExchange), "null unless DeclareQueue is true", DeadLetterExchange);
        Require(DeadLetterExchange is not "", nameof(DeadLetterExchange), "null, or an exchange's name", DeadLetterExchange);
        Require(Exchange is null || DeclareQueue, nameof(Exchange), "null unless DeclareQueue is true", Exchange);
        Require(Exchange is not "", nameof(Exchange), "null, or an exchange's name", Exchange);
        OptionCheck.RequireShort($"{nameof(ReceiverOptions)}.{nameof(Queue)}", Queue);
        OptionCheck.RequireShort($"{nameof(ReceiverOptions)}.{nameof(RoutingKey)}", RoutingKey);
        OptionCheck.RequireShort($"{nameof(ReceiverOptions)}.{nameof(Exchange)}", Exchange);
        OptionCheck.RequireShort($"{nameof(ReceiverOptions)}.{nameof(DeadLetterExchange)}", DeadLetterExchange);
        Require(Prefetch is >= 1 and <= ushort.MaxValue, nameof(Prefetch), "1 to 65,535", Prefetch);
        Require(BatchSize is >= 1 and <= 4000, nameof(BatchSize), "1 to 4,000", BatchSize);
        Require(GapPatience > TimeSpan.Zero, nameof(GapPatience), "longer than zero", GapPatience);
        Require(Enum.IsDefined(OnGap), nameof(OnGap), "one of the values of GapMode", OnGap);
        return (ReceiverOptions)MemberwiseClone();
    }

    private static void Require(bool isMet, string name, string range, object? value) =>
        OptionCheck.Require(isMet, $"{nameof(ReceiverOptions)}.{name}", range, value);
}
