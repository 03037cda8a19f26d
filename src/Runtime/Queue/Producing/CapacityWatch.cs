using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Tells, while enqueues of one handle wait for room, which subscription holds it.</summary>
internal sealed class CapacityWatch(QueueStore store, object sender)
{
    // A waiting call calls Note at least every second, so after a longer pause it is another wait.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly Lock _sync = new();
    private long _began;
    private long _noted;
    private bool _told;

    /// <summary>Raised on the thread pool, once in a wait that has lasted for a second.</summary>
    public event EventHandler<RoomHolder>? Awaited;

    /// <summary>An enqueue is about to wait, or goes on waiting. Called outside of the gate.</summary>
    public void Note()
    {
        if (Awaited is null || !IsToBeTold() || Holder() is not { } holder)
        {
            return;
        }
        foreach (EventHandler<RoomHolder> handler in Delegate.EnumerateInvocationList(Awaited))
        {
            // An exception of a handler becomes an unobserved exception of a task.
            _ = Task.Run(() => handler(sender, holder));
        }
    }

    /// <summary>The subscription that holds the room; null where none does, or that cannot be found out.</summary>
    public RoomHolder? Holder()
    {
        try
        {
            using CallGate.Call call = store.Gate.Enter();
            return new StatusReader(store).Holder();
        }
        catch (Exception exception) when (exception is QueueException or ObjectDisposedException)
        {
            return null;
        }
    }

    private bool IsToBeTold()
    {
        lock (_sync)
        {
            if (_noted == 0 || Stopwatch.GetElapsedTime(_noted) > Pause)
            {
                (_began, _told) = (Stopwatch.GetTimestamp(), false);
            }
            _noted = Stopwatch.GetTimestamp();
            bool isToBeTold = !_told && Stopwatch.GetElapsedTime(_began) >= Patience;
            _told |= isToBeTold;
            return isToBeTold;
        }
    }
}
