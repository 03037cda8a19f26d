namespace BlitQueue;

/// <summary>
/// How a subscription is made, and how this handle consumes from it. Everything has a default, and every property can be set: a subscriber
/// takes a copy.
/// </summary>
/// <example>
/// <code>
/// using var audit = orders.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Newest });
/// </code>
/// </example>
public sealed record SubscriptionOptions
{
    /// <summary>Where the subscription starts if this call makes it. Default: <see cref="SubscriptionStart.Oldest"/>.</summary>
    public SubscriptionStart Start { get; set; } = SubscriptionStart.Oldest;

    /// <summary>
    /// How often a message is delivered before it becomes a dead letter, counting leases that were given back and leases whose holders
    /// died; 1 or more. Default: 10. Deliveries are counted up to 32,767, so with that number or more there is no limit.
    /// </summary>
    public int MaxAttempts { get; set; } = 10;

    /// <summary>
    /// After how long another consumer gets a leased message although its holder lives; longer than zero. null (the default): never. It
    /// applies to leases of this handle.
    /// </summary>
    public TimeSpan? VisibilityTimeout { get; set; }

    /// <summary>
    /// After how long a message that was given back (<see cref="Lease{T}.Abandon()"/>, <see cref="Lease{T}.Dispose"/>) is delivered again,
    /// at the earliest; zero (the default) or longer. Later messages are delivered meanwhile, except in an exclusive subscription. What a
    /// dead consumer held is delivered again at once. It applies to leases of this handle.
    /// </summary>
    public TimeSpan RetryDelay { get; set; }

    /// <summary>
    /// Whether this handle is the only consumer, and messages come strictly one after the other: a lease must end before the next message
    /// is taken, and one given back comes again before all later ones. Default: false. A second consumer, in any process, gets a
    /// <see cref="QueueException"/>; when the process of the first is killed, another may subscribe at once.
    /// </summary>
    public bool Exclusive { get; set; }

    /// <summary>
    /// Whether this handle is the only consumer, as with <see cref="Exclusive"/>, but with as many leases at a time as it likes. Messages
    /// come in order: one that was given back comes before all later ones that are not leased, which wait for it. Default: false.
    /// </summary>
    public bool SingleConsumer { get; set; }

    /// <summary>
    /// What this handle does with a message whose time to live is over when it comes to it. Default: it is dropped.
    /// </summary>
    public ExpiredMode OnExpired { get; set; } = ExpiredMode.Drop;

    /// <summary>
    /// Whether consumers of this handle only get messages that are on the disk, so that a power loss cannot take back what they have seen.
    /// Default: false. They wait until something brings messages there: producers with <see cref="Durability.Interval"/> or
    /// <see cref="Durability.Commit"/>, or <see cref="MappedQueue{T}.Flush"/>.
    /// </summary>
    public bool DurableOnly { get; set; }

    /// <summary>
    /// Whether the subscription is removed with its last consumer: when that is disposed, and at once when its process dies, with its
    /// leases and all that it had not consumed. Default: false. A handle is a consumer from <see cref="MappedQueue{T}.Subscribe"/> on. The
    /// value belongs to the subscription: one that differs from what it was made with is an <see cref="ArgumentException"/>. Not for
    /// <c>default</c>.
    /// </summary>
    public bool Ephemeral { get; set; }

    /// <summary>
    /// After how long without any consumer the subscription is removed, with all that it had not consumed. The value belongs to the
    /// subscription: null (the default) leaves what is set, zero ends it, another value sets it for all handles. Not for <c>default</c>,
    /// nor together with <see cref="Ephemeral"/>.
    /// </summary>
    /// <remarks>
    /// A subscriber that lives counts as a consumer, whatever options it gave: also before it asks for a message, while it waits and while
    /// it is stopped. The time begins when the last consumer is disposed. If the last consumer died, it begins when a process next opens
    /// the queue, subscribes, asks for the status, makes a segment, or waits for room; one of these also removes the subscription.
    /// <see cref="QueueStatus.ExpiredSubscriptions"/> counts removed subscriptions. While the system runs, setting its clock forward makes
    /// nothing expire early; after a restart only the clock says how much time has gone by.
    /// </remarks>
    public TimeSpan? ExpiresAfter { get; set; }

    /// <summary>A checked copy, which later changes of the original do not reach; the defaults for null.</summary>
    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal static SubscriptionOptions Validated(SubscriptionOptions? options)
    {
        SubscriptionOptions copy = options is null ? new SubscriptionOptions() : options with { };
        copy.Validate();
        return copy;
    }

    private void Validate()
    {
        Require(Enum.IsDefined(Start), nameof(Start), Start, "one of the values of SubscriptionStart");
        Require(Enum.IsDefined(OnExpired), nameof(OnExpired), OnExpired, "one of the values of ExpiredMode");
        Require(MaxAttempts >= 1, nameof(MaxAttempts), MaxAttempts, "1 or more");
        Require(
            VisibilityTimeout is null || VisibilityTimeout > TimeSpan.Zero, nameof(VisibilityTimeout), VisibilityTimeout,
            "longer than zero, or null");
        Require(RetryDelay >= TimeSpan.Zero, nameof(RetryDelay), RetryDelay, "zero or longer");
        Require(ExpiresAfter is null || ExpiresAfter >= TimeSpan.Zero, nameof(ExpiresAfter), ExpiresAfter, "zero or longer, or null");
        Require(
            ExpiresAfter is null || !Ephemeral, nameof(ExpiresAfter), ExpiresAfter,
            "null where Ephemeral is true: it goes with its last consumer");
        if ((Exclusive || SingleConsumer) && VisibilityTimeout is not null)
        {
            throw new ArgumentException(
                $"SubscriptionOptions.{(Exclusive ? nameof(Exclusive) : nameof(SingleConsumer))} is true and VisibilityTimeout is "
                + $"{VisibilityTimeout}: there is no other consumer that could take a message over. Leave one of them out.");
        }
    }

    private static void Require(bool isMet, string name, object? value, string range) =>
        QueueOptions.Require(isMet, name, value, range, nameof(SubscriptionOptions));
}
