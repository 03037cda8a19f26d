namespace BlitQueue;

/// <summary>How a subscription stood at one moment.</summary>
public sealed record SubscriptionStatus
{
    /// <summary>The subscription's name.</summary>
    public required string Name { get; init; }

    /// <summary>Messages that wait to be taken: never taken yet, or given back.</summary>
    public required long Lag { get; init; }

    /// <summary>Messages that are leased: taken and not committed.</summary>
    public required long InFlight { get; init; }

    /// <summary>Messages that were dropped by <see cref="FullMode.DropOldest"/> since the subscription was made.</summary>
    public required long Dropped { get; init; }

    /// <summary>
    /// Messages whose time to live was over when a consumer came to them, since the subscription was made; dropped or set aside.
    /// </summary>
    public required long Expired { get; init; }

    /// <summary>Messages that were set aside and not taken from there.</summary>
    public required long DeadLetters { get; init; }

    /// <summary>
    /// How long ago, at most, its oldest message was enqueued: the time since the file that holds it was begun. null where there is none.
    /// </summary>
    public required TimeSpan? OldestAge { get; init; }

    /// <summary>
    /// Open handles, of all processes, that consume. A handle counts from its first look for messages until the subscription's object or
    /// the queue is disposed; in a subscription that may end by itself, from <see cref="MappedQueue{T}.Subscribe"/> on.
    /// </summary>
    public required int Consumers { get; init; }

    /// <summary>
    /// Bytes of log from the oldest message that this subscription has not committed to the newest: so much would stay on disk if it were
    /// the only one.
    /// </summary>
    public required long Bytes { get; init; }

    /// <summary>As <see cref="SubscriptionOptions.Ephemeral"/>.</summary>
    public required bool Ephemeral { get; init; }

    /// <summary>As <see cref="SubscriptionOptions.ExpiresAfter"/>; null where it stays.</summary>
    public required TimeSpan? ExpiresAfter { get; init; }

    /// <summary>
    /// Since when the subscription has had no living handle, UTC, as far as any process has noticed; null if it has one, or does not
    /// expire.
    /// </summary>
    public required DateTime? IdleSince { get; init; }

    /// <summary>The same for people, in one line.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Name}: {Lag:N0} waiting, {InFlight:N0} leased, {DeadLetters:N0} dead letters, {Consumers:N0} consumers, {Bytes:N0} bytes");
}
