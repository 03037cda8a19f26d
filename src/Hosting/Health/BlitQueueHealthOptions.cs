namespace BlitQueue.Hosting;

/// <summary>
/// The limits from which a queue's health check says <c>Degraded</c>, or <c>Unhealthy</c> (the check's failure status). A limit that is
/// null is off. A queue that cannot be read or whose disk has refused a sync, and a consumer of this host that cannot take messages, are
/// always unhealthy.
/// </summary>
/// <example>
/// <code>
/// builder.Services.AddHealthChecks().AddBlitQueue("orders", limits =>
/// {
///     limits.MaxLag = 10_000;
///     limits.MinFreeDisk = 1L &lt;&lt; 30;
/// });
/// </code>
/// </example>
public sealed class BlitQueueHealthOptions
{
    /// <summary>Degraded where more messages than this wait for a subscription. Default: null.</summary>
    public long? MaxLag { get; set; }

    /// <summary>Unhealthy where more messages than this wait for a subscription. Default: null.</summary>
    public long? UnhealthyLag { get; set; }

    /// <summary>
    /// Degraded where the oldest message of a subscription may be older than this. Its age is that of the file that contains it
    /// (<see cref="SubscriptionStatus.OldestAge"/>). Default: null.
    /// </summary>
    public TimeSpan? MaxOldestAge { get; set; }

    /// <summary>Unhealthy where the oldest message of a subscription may be older than this. Default: null.</summary>
    public TimeSpan? UnhealthyOldestAge { get; set; }

    /// <summary>Degraded where the queue's file system has less room than this for its user, in bytes. Default: null.</summary>
    public long? MinFreeDisk { get; set; }

    /// <summary>Unhealthy where the queue's file system has less room than this for its user, in bytes. Default: null.</summary>
    public long? UnhealthyFreeDisk { get; set; }

    /// <summary>Degraded where a subscription has more dead letters than this. Default: null.</summary>
    public long? MaxDeadLetters { get; set; }
}
