namespace BlitQueue;

/// <summary>
/// Notices, for the enqueues of one handle, when more bytes wait than are thought healthy. Called by the holder of the append lock alone.
/// </summary>
internal sealed class SoftLimitWatch(long limit)
{
    // Above the limit it looks again so many times per limit's worth of bytes, to notice that consumers have caught up meanwhile.
    private const int LooksPerLimit = 16;

    private bool _isOver;

    /// <summary>
    /// Raised on the thread pool: the append lock is held while the limit is passed. Each handler by itself; what one throws becomes a
    /// task's exception that nobody has observed.
    /// </summary>
    public event Action<QueueFill>? Exceeded;

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
            foreach (Action<QueueFill> handler in Delegate.EnumerateInvocationList(Exceeded))
            {
                ThreadPool.UnsafeQueueUserWorkItem(static state => Tell(state.handler, state.fill), (handler, fill), preferLocal: false);
            }
        }
        return end + (limit / LooksPerLimit);
    }

    // Thrown on a pool's thread it would end the process.
    private static void Tell(Action<QueueFill> handler, QueueFill fill)
    {
        try
        {
            handler(fill);
        }
        catch (Exception exception)
        {
            _ = Task.FromException(exception);
        }
    }
}
