namespace BlitQueue;

/// <summary>Notices, for the enqueues of one handle, when more bytes wait than are thought healthy. Called by the holder of the turn alone.</summary>
internal sealed class SoftLimitWatch(long limit)
{
    // Above the limit it looks again so many times per limit's worth of bytes, to notice that consumers have caught up meanwhile.
    private const int LooksPerLimit = 16;

    private bool _isOver;

    /// <summary>Raised on the thread pool: the turn is held while the limit is passed.</summary>
    public event Action<QueueFill>? Passed;

    /// <summary>Notes how much waits.</summary>
    /// <param name="oldest">The first position that is not consumed.</param>
    /// <param name="end">Behind what is being appended.</param>
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
            ThreadPool.UnsafeQueueUserWorkItem(static state => state.Watch.Passed?.Invoke(state.Fill), (Watch: this, Fill: fill), preferLocal: false);
        }
        return end + (limit / LooksPerLimit);
    }
}
