namespace BlitQueue;

/// <summary>
/// How <see cref="Subscription{T}.ProcessAsync"/> handles messages. Everything has a default, and every property can be set: a call takes a
/// copy.
/// </summary>
/// <example>
/// <code>
/// await billing.ProcessAsync(BillAsync, new ProcessOptions { Concurrency = 8, RetryDelay = TimeSpan.FromSeconds(5) }, stopping);
/// </code>
/// </example>
public sealed record ProcessOptions
{
    private static readonly TimeSpan LongestByDefault = TimeSpan.FromMinutes(1);

    /// <summary>
    /// How many messages may be handled at the same time; 1 to 1,024. Default: 1, one after the other in their order. None of them has a
    /// thread of its own. An exclusive subscription hands out one message at a time: then it is 1.
    /// </summary>
    public int Concurrency { get; set; } = 1;

    /// <summary>
    /// How many messages are taken in one step, and stay leased until it is their turn; 1 to 1,023. Default: 1. A larger number saves time
    /// where handlers take microseconds, but other consumers do not get the messages that wait here.
    /// </summary>
    public int BatchSize { get; set; } = 1;

    /// <summary>
    /// After how long a message whose handler failed is delivered again for the first time; zero or longer. Each further failure doubles
    /// the time. Default: 1 s. It replaces <see cref="SubscriptionOptions.RetryDelay"/>.
    /// </summary>
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The longest time between two deliveries; <see cref="RetryDelay"/> or longer. Default: null, one minute, or <see cref="RetryDelay"/>
    /// where that is longer.
    /// </summary>
    public TimeSpan? MaxRetryDelay { get; set; }

    /// <summary>
    /// Whether leases are renewed while their messages are handled, so that no <see cref="SubscriptionOptions.VisibilityTimeout"/> ends
    /// them. Default: true.
    /// </summary>
    public bool RenewLeases { get; set; } = true;

    /// <summary>
    /// How often leases are renewed; longer than zero. Default: null, three times in the
    /// <see cref="SubscriptionOptions.VisibilityTimeout"/> of this handle, or never where it has none. Set it if only other consumers of
    /// the subscription have one.
    /// </summary>
    public TimeSpan? RenewInterval { get; set; }

    /// <summary>
    /// A token that handlers get instead of the call's token. The call's token then only ends the taking of messages, and handlers may
    /// finish. Cancelling this token ends the taking too; a message whose handler then ends with <see cref="OperationCanceledException"/>
    /// is given back, and the delivery is not counted. Default: none, handlers get the call's token.
    /// </summary>
    public CancellationToken HandlerToken { get; set; }

    /// <summary>
    /// Called for each message whose handler failed, or whose lease was lost, once it is settled where the message goes; on the thread
    /// pool, possibly several times at once. An exception that it throws ends the call. Default: null.
    /// </summary>
    public Action<ProcessFailure>? Failed { get; set; }

    /// <summary>A checked copy, which later changes of the original do not reach; the defaults for null.</summary>
    /// <exception cref="ArgumentException">A value is outside of its range; the message names it, and says what to do.</exception>
    internal static ProcessOptions Validated(ProcessOptions? options, SubscriptionOptions subscription)
    {
        ProcessOptions copy = options is null ? new ProcessOptions() : options with { };
        copy.Validate(subscription);
        return copy;
    }

    /// <summary>How long to wait before the next delivery, after so many.</summary>
    internal TimeSpan DelayAfter(int attempts)
    {
        TimeSpan longest = MaxRetryDelay ?? (RetryDelay > LongestByDefault ? RetryDelay : LongestByDefault);
        double delay = RetryDelay.Ticks * Math.Pow(2, attempts - 1);
        return delay < longest.Ticks ? TimeSpan.FromTicks((long)delay) : longest;
    }

    /// <summary>How often leases are renewed; null for never.</summary>
    internal TimeSpan? RenewEvery(SubscriptionOptions subscription)
    {
        if (!RenewLeases)
        {
            return null;
        }
        TimeSpan? interval = RenewInterval ?? subscription.VisibilityTimeout / 3;
        return interval is { } time ? TimeSpan.FromMilliseconds(Math.Clamp(time.TotalMilliseconds, 1, int.MaxValue)) : null;
    }

    private void Validate(SubscriptionOptions subscription)
    {
        Require(Concurrency is >= 1 and <= 1024, nameof(Concurrency), Concurrency, "1 to 1,024");
        Require(BatchSize is >= 1 and <= 1023, nameof(BatchSize), BatchSize, "1 to 1,023");
        Require(RetryDelay >= TimeSpan.Zero, nameof(RetryDelay), RetryDelay, "zero or longer");
        Require(RenewInterval is null || RenewInterval > TimeSpan.Zero, nameof(RenewInterval), RenewInterval, "longer than zero, or null");
        if (MaxRetryDelay < RetryDelay)
        {
            throw new ArgumentException(
                $"ProcessOptions.MaxRetryDelay is {MaxRetryDelay} and RetryDelay is {RetryDelay}: the longest time between two deliveries "
                + "would be shorter than the first. Make MaxRetryDelay at least as long, or leave it out.", "options");
        }
        if (subscription.Exclusive && Concurrency > 1)
        {
            throw new ArgumentException(
                $"ProcessOptions.Concurrency is {Concurrency}, and the subscription is exclusive: it hands out the next message when the "
                + "lease of the one before has ended. Set Concurrency to 1, or subscribe without SubscriptionOptions.Exclusive.",
                "options");
        }
    }

    private static void Require(bool isMet, string name, object? value, string range) =>
        QueueOptions.Require(isMet, name, value, range, nameof(ProcessOptions));
}
