namespace BlitQueue.RabbitMq;

/// <summary>
/// The marks of all sources, in the queue <c>received-NAME</c> of the receiver's store. Its exclusive subscription is also the lock by
/// which one process receives into a queue at a time; the kernel releases it when the process dies.
/// </summary>
internal sealed class MarkStore : IDisposable
{
    // Deliveries are counted up to this number: the marks never become a dead letter because receivers were killed.
    private const int NoLimit = 32_767;
    private const string Consumer = "receiver";

    private readonly MappedQueue<SourceMarks> _queue;
    private readonly Subscription<SourceMarks> _subscription;
    private Dictionary<string, long> _marks = [];

    private MarkStore(MappedQueue<SourceMarks> queue, Subscription<SourceMarks> subscription)
    {
        _queue = queue;
        _subscription = subscription;
    }

    /// <summary>How the queue of the marks is opened.</summary>
    public static QueueOptions Options => new() { SegmentSize = 1 << 16, CreateDefaultSubscription = false };

    /// <summary>The name of the queue with the marks of what is received into a queue.</summary>
    public static string QueueOf(string queue) => $"received-{queue}";

    /// <summary>Claims the marks for this process and reads them.</summary>
    /// <exception cref="QueueException">Another process receives into the queue.</exception>
    public static MarkStore Open(MappedStore store, MappedQueue<SourceMarks> queue)
    {
        Subscription<SourceMarks> subscription =
            queue.Subscribe(Consumer, new SubscriptionOptions { Exclusive = true, MaxAttempts = NoLimit });
        try
        {
            var marks = new MarkStore(queue, subscription);
            marks.Load(store);
            return marks;
        }
        catch
        {
            subscription.Dispose();
            throw;
        }
    }

    /// <summary>The last position of a source that was received; -1 for a source that is not known.</summary>
    public long Of(string source) => _marks.GetValueOrDefault(source, -1);

    /// <summary>The marks after these messages.</summary>
    public Dictionary<string, long> After(IEnumerable<Delivery> deliveries)
    {
        var next = new Dictionary<string, long>(_marks);
        foreach (Delivery one in deliveries)
        {
            if (one.SourceId is { } source)
            {
                next[source] = one.Position;
            }
        }
        return next;
    }

    /// <summary>Puts the marks into the transaction, instead of those before.</summary>
    public void Replace(QueueTransaction transaction, Dictionary<string, long> marks)
    {
        SourceMarks? old = null;
        transaction.TryReceive(_subscription, ref old);
        transaction.Enqueue(_queue, MessageOf(marks));
    }

    /// <summary>The transaction is committed.</summary>
    public void Note(Dictionary<string, long> marks) => _marks = marks;

    public void Dispose() => _subscription.Dispose();

    // The message is given back when the transaction ends, and stays the next one.
    private void Load(MappedStore store)
    {
        using QueueTransaction looking = store.Begin();
        SourceMarks? found = null;
        if (looking.TryReceive(_subscription, ref found))
        {
            _marks = found.Marks.ToDictionary(static one => one.SourceId, static one => one.Position);
        }
    }

    private static SourceMarks MessageOf(Dictionary<string, long> marks) =>
        new() { Marks = [.. marks.Select(static one => new SourceMark { SourceId = one.Key, Position = one.Value })] };
}
