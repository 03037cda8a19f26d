namespace BlitQueue.RabbitMq;

/// <summary>How long to wait before the next attempt: doubles with each failure up to a limit; the second half is random.</summary>
internal sealed class RetryDelay(TimeSpan first, TimeSpan longest)
{
    private int _failures;

    /// <summary>A message got through: the next failure is the first one again.</summary>
    public void Reset() => _failures = 0;

    /// <summary>Waits, and counts a failure.</summary>
    public Task WaitAsync(CancellationToken cancellationToken) => Task.Delay(Next(), cancellationToken);

    public TimeSpan Next()
    {
        double wait = Math.Min(first.TotalMilliseconds * Math.Pow(2, Math.Min(_failures++, 30)), longest.TotalMilliseconds);
        // Many that lost the same broker do not come back in the same moment.
        return TimeSpan.FromMilliseconds((wait / 2) + (Random.Shared.NextDouble() * wait / 2));
    }
}
