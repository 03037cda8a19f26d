using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>
    /// Makes the first message that was enqueued at or after a point in time the next one, for all consumers of the subscription. Open leases stay open.
    /// </summary>
    /// <param name="time">UTC; a local time is converted. Behind every message: as <see cref="QueuePosition.Newest"/>.</param>
    /// <remarks>
    /// Exact where producers stamp the time (<see cref="QueueOptions.Stamp"/>). Where they do not, only the time is known at which each segment was
    /// begun: then it starts earlier, by up to a segment, and misses nothing. Messages that are no longer on disk are not missed
    /// loudly: it starts at the oldest.
    /// </remarks>
    /// <exception cref="QueueCorruptException">A damaged record hides what comes behind it. Nothing was moved.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Seek(DateTime time)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsSet, this);
        long ticks = (time.Kind == DateTimeKind.Local ? time.ToUniversalTime() : time).Ticks;
        using CallGate.Call call = _store.Gate.Enter();
        _admin.SeekTime(_cursor, ticks);
        _store.WakeDataSleepers();
    }

    /// <summary>As <see cref="Seek(DateTime)"/>.</summary>
    /// <param name="time">The point in time.</param>
    /// <exception cref="QueueCorruptException">A damaged record hides what comes behind it. Nothing was moved.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Seek(DateTimeOffset time) => Seek(time.UtcDateTime);
}
