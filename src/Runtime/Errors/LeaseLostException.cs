namespace BlitQueue;

/// <summary>
/// A lease lasted longer than the subscription's <see cref="SubscriptionOptions.VisibilityTimeout"/>, and its message was given to another consumer. It
/// can no longer be committed, given back or set aside by who held it before.
/// </summary>
public sealed class LeaseLostException : QueueException
{
    /// <summary>Creates the exception with which lease was lost.</summary>
    public LeaseLostException(string message) : base(message)
    {
    }
}
