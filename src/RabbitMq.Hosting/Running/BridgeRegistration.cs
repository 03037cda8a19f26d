namespace BlitQueue.RabbitMq.Hosting;

/// <summary>A forwarder or a receiver that was added to a host, and what became of its run.</summary>
/// <param name="kind"><c>Forwarder</c> or <c>Receiver</c>.</param>
/// <param name="queue">The queue's name in the host.</param>
/// <param name="subscription">The forwarder's subscription; empty for a receiver.</param>
/// <param name="section">The section of the configuration that its options come from.</param>
/// <param name="prepare">Makes it; the queue is open then.</param>
internal sealed class BridgeRegistration(
    string kind, string queue, string subscription, string section, Func<IServiceProvider, IBridge> prepare)
{
    private volatile IBridge? _bridge;
    private volatile Exception? _failure;

    public string Kind => kind;

    public string Queue => queue;

    public string Subscription => subscription;

    public string Section => section;

    /// <summary>What logs and health checks call it.</summary>
    public string Name { get; } = NameOf(queue, subscription);

    /// <summary>null before the host has started it.</summary>
    public IBridge? Bridge => _bridge;

    /// <summary>Why its last run ended; null while it runs, and where it was stopped.</summary>
    public Exception? Failure
    {
        get => _failure;
        set => _failure = value;
    }

    public static string NameOf(string queue, string subscription) => subscription.Length == 0 ? queue : $"{queue}/{subscription}";

    public IBridge Prepare(IServiceProvider services) => _bridge = prepare(services);
}
