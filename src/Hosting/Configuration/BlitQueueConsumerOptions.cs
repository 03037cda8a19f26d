namespace BlitQueue.Hosting;

/// <summary>
/// How a host consumes from a subscription. The values come from the configuration section
/// <c>BlitQueue:&lt;queue&gt;:Consumers:&lt;subscription&gt;</c>, then from the callback of <c>AddConsumer</c>; the last one counts.
/// </summary>
/// <example>
/// <code>
/// builder.Services.AddBlitQueue&lt;Order&gt;("orders")
///     .AddConsumer&lt;Billing&gt;(configure: options => { options.Concurrency = 8; options.MaxAttempts = 3; });
/// </code>
/// </example>
public sealed class BlitQueueConsumerOptions
{
    /// <summary>
    /// How many handlers, or batches, may run at the same time; 1 to 1,024. Default: 1, one after the other in the order of the messages.
    /// An exclusive subscription hands out one message at a time: then it is 1.
    /// </summary>
    public int Concurrency { get => Process.Concurrency; set => Process.Concurrency = value; }

    /// <summary>
    /// How many messages are leased in one step, and the most that a batch handler gets; 1 to 1,023. Default: 1.
    /// </summary>
    public int BatchSize { get => Process.BatchSize; set => Process.BatchSize = value; }

    /// <inheritdoc cref="ProcessOptions.RetryDelay"/>
    public TimeSpan RetryDelay { get => Process.RetryDelay; set => Process.RetryDelay = value; }

    /// <inheritdoc cref="ProcessOptions.MaxRetryDelay"/>
    public TimeSpan? MaxRetryDelay { get => Process.MaxRetryDelay; set => Process.MaxRetryDelay = value; }

    /// <inheritdoc cref="ProcessOptions.RenewLeases"/>
    public bool RenewLeases { get => Process.RenewLeases; set => Process.RenewLeases = value; }

    /// <inheritdoc cref="ProcessOptions.RenewInterval"/>
    public TimeSpan? RenewInterval { get => Process.RenewInterval; set => Process.RenewInterval = value; }

    /// <inheritdoc cref="SubscriptionOptions.Start"/>
    public SubscriptionStart Start { get => Subscription.Start; set => Subscription.Start = value; }

    /// <inheritdoc cref="SubscriptionOptions.MaxAttempts"/>
    public int MaxAttempts { get => Subscription.MaxAttempts; set => Subscription.MaxAttempts = value; }

    /// <inheritdoc cref="SubscriptionOptions.VisibilityTimeout"/>
    public TimeSpan? VisibilityTimeout { get => Subscription.VisibilityTimeout; set => Subscription.VisibilityTimeout = value; }

    /// <summary>
    /// Whether this host is the only consumer, in strict order, as <see cref="SubscriptionOptions.Exclusive"/>. Default: false. While
    /// another consumer has the subscription, the host runs and tries again, at least once a minute.
    /// </summary>
    public bool Exclusive { get => Subscription.Exclusive; set => Subscription.Exclusive = value; }

    /// <summary>
    /// Whether this host is the only consumer, with as many messages at a time as <see cref="Concurrency"/> says, as
    /// <see cref="SubscriptionOptions.SingleConsumer"/>. Default: false. While another host consumes, this one tries again.
    /// </summary>
    public bool SingleConsumer { get => Subscription.SingleConsumer; set => Subscription.SingleConsumer = value; }

    /// <inheritdoc cref="SubscriptionOptions.OnExpired"/>
    public ExpiredMode OnExpired { get => Subscription.OnExpired; set => Subscription.OnExpired = value; }

    /// <inheritdoc cref="SubscriptionOptions.DurableOnly"/>
    public bool DurableOnly { get => Subscription.DurableOnly; set => Subscription.DurableOnly = value; }

    /// <inheritdoc cref="SubscriptionOptions.Ephemeral"/>
    public bool Ephemeral { get => Subscription.Ephemeral; set => Subscription.Ephemeral = value; }

    /// <inheritdoc cref="SubscriptionOptions.ExpiresAfter"/>
    public TimeSpan? ExpiresAfter { get => Subscription.ExpiresAfter; set => Subscription.ExpiresAfter = value; }

    /// <summary>
    /// How long handlers that run may go on once the host stops, before their token is cancelled; zero or longer. Default: null, eight
    /// tenths of the host's shutdown time (<c>HostOptions.ShutdownTimeout</c>). A tenth later at the latest, the messages of handlers that
    /// do not end are given back.
    /// </summary>
    public TimeSpan? FinishTime { get; set; }

    /// <summary>
    /// Whether the consumer steps over a damaged message, which is lost then, and logs what it stepped over. Default: false: it takes
    /// nothing until the damage is dealt with (<see cref="Subscription{T}.SkipCorrupt"/>, <see cref="MappedQueue.Repair"/>), looks again at
    /// least once a minute, and is unhealthy meanwhile.
    /// </summary>
    public bool SkipCorrupt { get; set; }

    internal ProcessOptions Process { get; } = new();

    internal SubscriptionOptions Subscription { get; } = new();
}
