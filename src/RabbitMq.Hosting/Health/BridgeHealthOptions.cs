namespace BlitQueue.RabbitMq.Hosting;

/// <summary>
/// The limits from which the health check of a forwarder or a receiver says <c>Degraded</c>, or <c>Unhealthy</c> (the check's failure
/// status). A limit that is null is off. One that is stopped or has failed is unhealthy without any limit; so is one that a problem has
/// hindered for longer than <see cref="Grace"/>, and degraded before that. One that waits, because another process works, the local queue
/// is full or the broker is blocked, is degraded.
/// </summary>
/// <example>
/// <code>
/// builder.Services.AddHealthChecks().AddForwarder("orders", limits => { limits.MaxLag = 10_000; limits.UnhealthyLag = 1_000_000; });
/// </code>
/// </example>
public sealed class BridgeHealthOptions
{
    /// <summary>
    /// For how long a problem may last until the check says unhealthy: messages wait meanwhile, and a node of the broker that is restarted
    /// needs no alarm. Zero: unhealthy at once. Default: 30 s.
    /// </summary>
    public TimeSpan Grace { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Degraded where more messages than this wait to be forwarded. Default: null. A receiver has no lag.</summary>
    public long? MaxLag { get; set; }

    /// <summary>Unhealthy where more messages than this wait to be forwarded. Default: null.</summary>
    public long? UnhealthyLag { get; set; }

    /// <summary>Degraded where more messages than this were set aside since the host's start. Default: null.</summary>
    public long? MaxSetAside { get; set; }
}
