namespace BlitQueue;

/// <summary>
/// Notices, for the enqueues of one handle, when more bytes wait than the soft limit. Called by the holder of the append lock alone.
/// </summary>
internal sealed class SoftLimitWatch(long limit, object sender)
{
    // Above the limit it looks again so many times per limit's worth of bytes, to notice that consumers have caught up meanwhile.
    private const int LooksPerLimit = 16;

    private bool _isOver;

    /// <summary>
    /// Raised on the thread pool, because the append lock is held while the limit is passed. Each handler runs by itself; an exception of
    /// one becomes an unobserved exception of a task.
    /// </summary>
    public event EventHandler<QueueFill>? Exceeded;

    /// <summary>Notes how much waits: from the first position that is not consumed to behind what is being appended.</summary>
    /// <returns>Up to where the log may grow before the next look.</returns>
    public long Note(long oldest, long end)
    {
        if (end - oldest <= limit)
        {
            _isOver = false;
            return oldest + limit;
        }
        if (!_isOver)
        {
            _isOver = true;
            var fill = new QueueFill(end - oldest, limit);
            foreach (EventHandler<QueueFill> handler in Delegate.EnumerateInvocationList(Exceeded))
            {
                ThreadPool.UnsafeQueueUserWorkItem(static state => state.Watch.Tell(state.Handler, state.Fill),
                    (Watch: this, Handler: handler, Fill: fill), preferLocal: false);
            }
        }
        return end + (limit / LooksPerLimit);
    }

    // Thrown on a pool's thread it would end the process.
    private void Tell(EventHandler<QueueFill> handler, QueueFill fill)
    {
        try
        {
            handler(sender, fill);
        }
        catch (Exception exception)
        {
            _ = Task.FromException(exception);
        }
    }
}
