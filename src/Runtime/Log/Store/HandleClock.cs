namespace BlitQueue.Log;

/// <summary>What time it is for one handle: by the system's clocks, or by a <see cref="TimeProvider"/> of the handle's own.</summary>
/// <remarks>
/// Other processes compare what a handle writes with their clocks. So a handle with a provider counts the milliseconds since the system's
/// start from those that it had when it was opened, by the time that has passed for the provider.
/// </remarks>
internal sealed class HandleClock
{
    private readonly TimeProvider _provider;
    private readonly long _start = Environment.TickCount64, _timestamp;

    public HandleClock(TimeProvider provider)
    {
        _provider = provider;
        _timestamp = provider.GetTimestamp();
        Milliseconds = provider == TimeProvider.System ? null : Count;
    }

    /// <summary>The system's clocks.</summary>
    public static HandleClock OfSystem { get; } = new(TimeProvider.System);

    /// <summary>The time of day, UTC.</summary>
    public DateTime UtcNow => _provider.GetUtcNow().UtcDateTime;

    /// <summary>Counts milliseconds since the system's start; null: as the system does.</summary>
    public Func<long>? Milliseconds { get; }

    public TimeProvider Provider => _provider;

    // Never 0 or less, however far the provider goes back: of a lease, such a time would say that it has lasted for too long.
    private long Count() => Math.Max(1, _start + (long)_provider.GetElapsedTime(_timestamp).TotalMilliseconds);
}
