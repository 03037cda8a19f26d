namespace BlitQueue;

/// <summary>Where a subscription that is made starts.</summary>
public enum SubscriptionStart
{
    /// <summary>
    /// At the oldest message that another subscription has not consumed, or that <see cref="QueueOptions.RetainBytes"/> or
    /// <see cref="QueueOptions.RetainFor"/> keeps. The first subscription of a queue starts at the oldest message on disk.
    /// </summary>
    Oldest,

    /// <summary>Behind the newest: it sees what is enqueued from now on.</summary>
    Newest,
}
