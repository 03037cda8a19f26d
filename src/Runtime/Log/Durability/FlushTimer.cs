using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Syncs the log some time after an append, for appends that do not wait for a sync. Without appends no timer runs; the runtime has
/// one thread for the timers of all queues.
/// </summary>
/// <remarks>
/// SYNC POINT flush: an appender moves the tail, then looks at the mark; the flusher clears the mark, fences, then looks at the tail. So
/// either the flusher's sync covers the append or the appender sets the timer again.
/// </remarks>
internal sealed class FlushTimer : IDisposable
{
    private readonly GroupCommit _sync;
    private readonly TimeSpan _interval;
    private readonly AtomicFlag _isSet = new();
    private readonly Timer _timer;

    public FlushTimer(GroupCommit sync, TimeSpan interval)
    {
        _sync = sync;
        _interval = interval;
        _timer = new Timer(static timer => ((FlushTimer)timer!).FlushNow(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>Notes an append, which must be on the disk when the interval is over.</summary>
    public void NoteAppend()
    {
        MachineMemory.WakerFence();
        if (_isSet.TrySet())
        {
            _timer.Change(_interval, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Syncs at once what is not on the disk, even where the timer would soon do so: that would be too late.</summary>
    public void FlushNow()
    {
        _isSet.Clear();
        MachineMemory.SleeperFence();
        try
        {
            _sync.Wait();
        }
        catch (Exception exception) when (exception is QueueException or IOException or ObjectDisposedException)
        {
            // No caller waits here who could be told. A failed sync closes the queue: the next append reports it.
        }
    }

    public void Dispose() => _timer.Dispose();
}
