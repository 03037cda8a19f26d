namespace BlitQueue.Log;

/// <summary>How long a call waits for another process that makes no progress, and the token with which its caller ends the wait.</summary>
internal readonly record struct Patience(TimeSpan Limit, CancellationToken Token = default)
{
    public static implicit operator Patience(TimeSpan limit) => new(limit);

    /// <summary>Whether a wait that began then, as <see cref="Stopwatch"/> counts, has lasted longer than the limit.</summary>
    public bool IsOver(long started) => Stopwatch.GetElapsedTime(started) > Limit;

    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void ThrowIfCancelled(string path, string why)
    {
        if (Token.IsCancellationRequested)
        {
            throw Cancelled(path, why);
        }
    }

    /// <summary>The exception for a caller whose token was cancelled while it waited.</summary>
    /// <param name="path">Of what it waited for.</param>
    /// <param name="why">What another process was doing, for people.</param>
    public OperationCanceledException Cancelled(string path, string why) =>
        new($"{path}: cancelled while it waited, as {why}. Nothing was done.", Token);
}
