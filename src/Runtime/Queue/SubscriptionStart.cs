namespace BlitQueue;

/// <summary>Where a subscription that is made starts.</summary>
public enum SubscriptionStart
{
    /// <summary>At the oldest message that is still on disk.</summary>
    Oldest,

    /// <summary>Behind the newest: it sees what is enqueued from now on.</summary>
    Newest,
}
