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

    /// <exception cref="ArgumentException">A value is outside of its range; the message names it.</exception>
    internal void Validate()
    {
        if (!Enum.IsDefined(Start))
        {
            throw new ArgumentException($"SubscriptionOptions.Start is {Start}; it must be one of the values of SubscriptionStart.");
        }
    }
}
