namespace BlitQueue;

public sealed partial class MappedQueue<T>
{
    /// <summary>
    /// An enqueue of this handle has made more bytes wait than <see cref="QueueOptions.SoftLimit"/>. Raised once, and again after less has
    /// waited meanwhile, which enqueues of this handle notice after a sixteenth of the limit at the latest.
    /// </summary>
    /// <remarks>
    /// Raised on the thread pool, so handlers may use the queue. What a handler throws goes to <see cref="TaskScheduler.UnobservedTaskException"/>; other
    /// handlers and the queue go on. Never raised without a soft limit.
    /// </remarks>
    public event Action<QueueFill>? SoftLimitReached
    {
        add
        {
            if (_producer.SoftLimit is { } watch)
            {
                watch.Passed += value;
            }
        }

        remove
        {
            if (_producer.SoftLimit is { } watch)
            {
                watch.Passed -= value;
            }
        }
    }
}
