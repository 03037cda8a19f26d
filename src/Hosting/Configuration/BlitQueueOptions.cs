namespace BlitQueue.Hosting;

/// <summary>
/// Where a host's queue lies, and how it is opened. The values come from the configuration section <c>BlitQueue:&lt;name&gt;</c>, then from
/// the connection string <c>&lt;name&gt;</c>, then from the callback of <c>AddBlitQueue</c>; the last one counts.
/// </summary>
/// <example>
/// <code>
/// services.AddBlitQueue&lt;Order&gt;("orders", options => { options.Path = "/var/lib/shop/orders"; options.Capacity = 1L &lt;&lt; 30; });
/// </code>
/// </example>
public sealed class BlitQueueOptions
{
    /// <summary>The queue's directory; made where it does not exist. Needed.</summary>
    public string? Path { get; set; }

    /// <inheritdoc cref="QueueOptions.SegmentSize"/>
    public long? SegmentSize { get => Queue.SegmentSize; set => Queue.SegmentSize = value; }

    /// <inheritdoc cref="QueueOptions.UseChecksums"/>
    public bool? UseChecksums { get => Queue.UseChecksums; set => Queue.UseChecksums = value; }

    /// <inheritdoc cref="QueueOptions.FileMode"/>
    public UnixFileMode? FileMode { get => Queue.FileMode; set => Queue.FileMode = value; }

    /// <inheritdoc cref="QueueOptions.CreateDefaultSubscription"/>
    public bool? CreateDefaultSubscription
    {
        get => Queue.CreateDefaultSubscription;
        set => Queue.CreateDefaultSubscription = value;
    }

    /// <inheritdoc cref="QueueOptions.Capacity"/>
    public long? Capacity { get => Queue.Capacity; set => Queue.Capacity = value; }

    /// <inheritdoc cref="QueueOptions.RetainBytes"/>
    public long? RetainBytes { get => Queue.RetainBytes; set => Queue.RetainBytes = value; }

    /// <inheritdoc cref="QueueOptions.RetainFor"/>
    public TimeSpan? RetainFor { get => Queue.RetainFor; set => Queue.RetainFor = value; }

    /// <inheritdoc cref="QueueOptions.FullMode"/>
    public FullMode FullMode { get => Queue.FullMode; set => Queue.FullMode = value; }

    /// <inheritdoc cref="QueueOptions.SoftLimit"/>
    public long? SoftLimit { get => Queue.SoftLimit; set => Queue.SoftLimit = value; }

    /// <inheritdoc cref="QueueOptions.MaxMessageSize"/>
    public long MaxMessageSize { get => Queue.MaxMessageSize; set => Queue.MaxMessageSize = value; }

    /// <inheritdoc cref="QueueOptions.Durability"/>
    public Durability Durability { get => Queue.Durability; set => Queue.Durability = value; }

    /// <inheritdoc cref="QueueOptions.FlushInterval"/>
    public TimeSpan FlushInterval { get => Queue.FlushInterval; set => Queue.FlushInterval = value; }

    /// <inheritdoc cref="QueueOptions.StallTimeout"/>
    public TimeSpan StallTimeout { get => Queue.StallTimeout; set => Queue.StallTimeout = value; }

    /// <inheritdoc cref="QueueOptions.SpinDuration"/>
    public TimeSpan SpinDuration { get => Queue.SpinDuration; set => Queue.SpinDuration = value; }

    /// <inheritdoc cref="QueueOptions.Stamps"/>
    public MessageStamps Stamps { get => Queue.Stamps; set => Queue.Stamps = value; }

    /// <inheritdoc cref="QueueOptions.TimeProvider"/>
    public TimeProvider TimeProvider { get => Queue.TimeProvider; set => Queue.TimeProvider = value; }

    internal QueueOptions Queue { get; } = new();
}
