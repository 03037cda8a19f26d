namespace BlitQueue.Peer;

/// <summary>One handle to a queue, and the subscriptions of it that several threads use at once.</summary>
internal sealed class Handle(Arguments arguments) : IDisposable
{
    private readonly Lock _sync = new();
    private readonly Dictionary<(Type Message, string? Subscription), object> _opened = [];

    /// <summary>The handle; opened by who asks first.</summary>
    public MappedQueue<T> Queue<T>()
        where T : IPackable<T> => Get((typeof(T), null), arguments.Open<T>);

    /// <summary>A subscription that several threads use as one object.</summary>
    public Subscription<T> Subscribe<T>(string name, SubscriptionOptions options)
        where T : IPackable<T>
    {
        MappedQueue<T> queue = Queue<T>();
        return Get((typeof(T), name), () => queue.Subscribe(name, options));
    }

    private TValue Get<TValue>((Type Message, string? Subscription) key, Func<TValue> make)
        where TValue : class
    {
        lock (_sync)
        {
            if (!_opened.TryGetValue(key, out object? value))
            {
                _opened.Add(key, value = make());
            }
            return (TValue)value;
        }
    }

    // The subscriptions end with the queue.
    public void Dispose()
    {
        foreach (IDisposable queue in _opened.Where(static opened => opened.Key.Subscription is null).Select(static opened => opened.Value)
            .OfType<IDisposable>())
        {
            queue.Dispose();
        }
    }
}
