namespace BlitQueue;

/// <summary>
/// A lease lasted longer than the subscription's <see cref="SubscriptionOptions.VisibilityTimeout"/>, and its message was given to another
/// consumer. The former holder can no longer commit the lease, give it back or make its message a dead letter.
/// </summary>
public sealed class LeaseLostException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">Which lease was lost.</param>
    public LeaseLostException(string message) : base(message) => Reason = QueueError.LeaseLost;
}
