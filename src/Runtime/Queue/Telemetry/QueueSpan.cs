namespace BlitQueue;

/// <summary>
/// A span of the queue, or none where no listener wants one. What a listener throws at its start or its end is dropped: what the span is
/// about has happened all the same, and must not be taken for something that has failed.
/// </summary>
internal readonly struct QueueSpan : IDisposable
{
    private readonly Activity? _before;

    private QueueSpan(Activity? activity, Activity? before) => (Activity, _before) = (activity, before);

    /// <summary>null where no listener wants it.</summary>
    public Activity? Activity { get; }

    /// <summary>Begins one, which becomes the current one.</summary>
    public static QueueSpan Start(Func<Activity?> start)
    {
        Activity? before = Activity.Current;
        try
        {
            return new QueueSpan(start(), before);
        }
        catch (Exception)
        {
            if (Activity.Current is { } begun && begun != before)
            {
                // Another listener was told that it began.
                new QueueSpan(begun, before).Dispose();
            }
            Activity.Current = before;
            return default;
        }
    }

    public void Dispose()
    {
        try
        {
            Activity?.Dispose();
        }
        catch (Exception)
        {
            if (Activity.Current == Activity)
            {
                Activity.Current = _before;
            }
        }
    }
}
