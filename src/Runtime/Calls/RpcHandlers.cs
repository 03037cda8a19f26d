namespace BlitQueue.Calls;

/// <summary>The handlers that one <c>ServeAsync</c> has begun: so many at a time at most, and their end can be awaited.</summary>
/// <param name="most">How many.</param>
internal sealed class RpcHandlers(int most)
{
    private readonly SemaphoreSlim _permits = new(most);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _sync = new();

    // Guarded by the lock.
    private int _running;
    private bool _isEnding;

    /// <summary>Waits until there are fewer, and counts one more.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        await _permits.WaitAsync(cancellationToken).ConfigureAwait(false);
        lock (_sync)
        {
            _running++;
        }
    }

    /// <summary>One is over.</summary>
    public void Leave()
    {
        _permits.Release();
        lock (_sync)
        {
            _running--;
            EndIfLast();
        }
    }

    /// <summary>Waits until all are over. None enters any more.</summary>
    public Task EndAsync()
    {
        lock (_sync)
        {
            _isEnding = true;
            EndIfLast();
        }
        return _ended.Task;
    }

    // Inside of the lock.
    private void EndIfLast()
    {
        if (_isEnding && _running == 0)
        {
            _ended.TrySetResult();
        }
    }
}
