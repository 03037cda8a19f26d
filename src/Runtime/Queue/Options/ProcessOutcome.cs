namespace BlitQueue;

/// <summary>Where a message went that was not handled.</summary>
public enum ProcessOutcome
{
    /// <summary>It was given back, and is delivered again after the delay.</summary>
    GivenBack,

    /// <summary>It is a dead letter: it was delivered <see cref="SubscriptionOptions.MaxAttempts"/> times.</summary>
    DeadLettered,

    /// <summary>
    /// Another consumer has it, or gets it next: the lease lasted longer than a <see cref="SubscriptionOptions.VisibilityTimeout"/>.
    /// </summary>
    LeaseLost,
}
