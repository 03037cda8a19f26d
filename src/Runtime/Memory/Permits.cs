namespace BlitQueue.Memory;

/// <summary>
/// So many permits, which any thread takes and gives back by one interlocked operation each. Callers may wait for one. They are not served
/// in order: a caller that comes later may take a permit before those that wait.
/// </summary>
/// <remarks>
/// A caller that begins to wait counts itself, then looks for a permit; a caller that gives one looks for waiting ones afterwards; all by
/// full fences. So a caller that waits finds the permit, or is woken. One that is woken without need looks once more.
/// </remarks>
/// <param name="count">How many there are at first.</param>
internal sealed class Permits(int count)
{
    // Never disposed, because callers may still wait.
    private readonly SemaphoreSlim _given = new(0);
    private int _left = count, _waiting;

    /// <summary>Takes one, without waiting.</summary>
    /// <returns>false if none is left.</returns>
    public bool TryTake()
    {
        for (int now = Volatile.Read(ref _left); now > 0;)
        {
            int found = Interlocked.CompareExchange(ref _left, now - 1, now);
            if (found == now)
            {
                return true;
            }
            now = found;
        }
        return false;
    }

    /// <summary>Takes one, and waits for it.</summary>
    /// <returns>false if the time is over.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public bool TryTake(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        Interlocked.Increment(ref _waiting);
        try
        {
            while (!TryTake())
            {
                if (!_given.Wait(Left(timeout, began), cancellationToken))
                {
                    return TryTake();
                }
            }
            return true;
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    /// <summary>Takes one, and waits for it without a thread.</summary>
    /// <inheritdoc cref="TryTake(TimeSpan, CancellationToken)"/>
    public async ValueTask<bool> TryTakeAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        Interlocked.Increment(ref _waiting);
        try
        {
            while (!TryTake())
            {
                if (!await _given.WaitAsync(Left(timeout, began), cancellationToken).ConfigureAwait(false))
                {
                    return TryTake();
                }
            }
            return true;
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    private static TimeSpan Left(TimeSpan timeout, long began)
    {
        TimeSpan left = timeout - Stopwatch.GetElapsedTime(began);
        return timeout == Timeout.InfiniteTimeSpan ? timeout : left > TimeSpan.Zero ? left : TimeSpan.Zero;
    }

    /// <summary>Gives some back.</summary>
    public void Give(int some)
    {
        Interlocked.Add(ref _left, some);
        int waiting = Volatile.Read(ref _waiting);
        if (waiting > 0)
        {
            _given.Release(Math.Min(some, waiting));
        }
    }

    /// <summary>Has every caller that waits, or comes later, get one.</summary>
    public void GiveAll()
    {
        Interlocked.Add(ref _left, int.MaxValue / 2);
        _given.Release(int.MaxValue / 2);
    }
}
