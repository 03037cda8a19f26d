namespace BlitQueue;

/// <summary>
/// A lease lasted longer than the subscription's <see cref="SubscriptionOptions.VisibilityTimeout"/>, and its message was given to another
/// consumer. It can no longer be committed, given back or set aside by its holder of before.
/// </summary>
/// <param name="message">Which lease was lost.</param>
public sealed class LeaseLostException(string message) : QueueException(message);
