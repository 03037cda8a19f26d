namespace BlitQueue;

/// <summary>How a subscription is made, and how this handle consumes from it. Everything has a default.</summary>
/// <example>
/// <code>
/// using var audit = orders.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Newest });
/// </code>
/// </example>
public sealed record SubscriptionOptions
{
    /// <summary>Where the subscription starts if this call makes it. Default: at the oldest message that is still on disk.</summary>
    public SubscriptionStart Start { get; init; } = SubscriptionStart.Oldest;

    /// <summary>
    /// How often a message is delivered, by leases that were given back or whose holders died, before it becomes a dead letter; 1 or more.
    /// Default: 10.
    /// </summary>
    public int MaxAttempts { get; init; } = 10;

    /// <summary>
    /// After how long others get a leased message although its holder lives; longer than zero. null (the default): never. Whoever asks
    /// decides: it is this handle's.
    /// </summary>
    public TimeSpan? VisibilityTimeout { get; init; }

    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal void Validate()
    {
        if (!Enum.IsDefined(Start))
        {
            throw new ArgumentException($"SubscriptionOptions.Start is {Start}; it must be one of the values of SubscriptionStart.");
        }
        if (MaxAttempts < 1)
        {
            throw new ArgumentException($"SubscriptionOptions.MaxAttempts is {MaxAttempts}; it must be 1 or more.");
        }
        if (VisibilityTimeout <= TimeSpan.Zero)
        {
            throw new ArgumentException($"SubscriptionOptions.VisibilityTimeout is {VisibilityTimeout}; it must be longer than zero, or null.");
        }
    }
}
