using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Work that a pool thread tries until nothing prevents it: soon at first, then after ever longer pauses, because what prevents it, a
/// process or a call, may be stopped. However often callers ask for it meanwhile, one attempt is due.
/// </summary>
/// <remarks>
/// SYNC POINT attempt: a caller that asks has moved a cursor and fenced, then looks at the mark; the attempt clears the mark, fences, then
/// looks at the cursors. So either the attempt sees the cursor or the caller starts another attempt.
/// </remarks>
internal sealed class BackgroundRetry : IDisposable
{
    private const int FirstPauseMilliseconds = 2, LongestPauseMilliseconds = 1000;

    private readonly Lock _sync = new();
    private readonly AtomicFlag _isDue = new();
    private int _pause = FirstPauseMilliseconds;
    private Timer? _timer;
    private bool _disposed;

    /// <param name="attempt">Returns false where it must be tried again. Throws nothing.</param>
    public void Start(Func<bool> attempt)
    {
        if (_isDue.TrySet())
        {
            ThreadPool.UnsafeQueueUserWorkItem(static state => state.This.Run(state.Attempt), (This: this, Attempt: attempt), false);
        }
    }

    private void Run(Func<bool> attempt)
    {
        _isDue.Clear();
        MachineMemory.SleeperFence();
        if (attempt())
        {
            _pause = FirstPauseMilliseconds;
        }
        else if (_isDue.TrySet())
        {
            RunLater(attempt);
        }
    }

    private void RunLater(Func<bool> attempt)
    {
        lock (_sync)
        {
            if (_disposed)
            {
                return;
            }
            _timer?.Dispose();
            _timer = new Timer(_ => Run(attempt), null, _pause, Timeout.Infinite);
            _pause = Math.Min(_pause * 2, LongestPauseMilliseconds);
        }
    }

    public void Dispose()
    {
        lock (_sync)
        {
            _disposed = true;
            _timer?.Dispose();
        }
    }
}
