namespace BlitQueue;

/// <summary>A queue that this process has, or had, open, or tried to open: what instruments say about it.</summary>
/// <param name="path">The queue's directory.</param>
internal sealed class MeasuredQueue(string path)
{
    // All gauges of one collection read one status; a gauge that asks again begins another collection.
    private static readonly TimeSpan LongestUse = TimeSpan.FromMilliseconds(100);

    private readonly Lock _sync = new();
    private readonly List<WeakReference<IMeasured>> _handles = [];

    // Of handles that were disposed.
    private readonly Dictionary<string, long> _consumed = [];
    private long _sent, _waits, _stalls, _recoveries;

    // Of all handles, and of openings that failed.
    private long _damages;

    private QueueStatus? _status;
    private long _readAt;
    private long _askers;

    public string Path => path;

    public void Add(IMeasured handle)
    {
        lock (_sync)
        {
            _handles.Add(new WeakReference<IMeasured>(handle));
        }
    }

    /// <summary>Removes a handle that was disposed and has no running call. Its counts stay in the sums.</summary>
    public void Remove(IMeasured handle)
    {
        lock (_sync)
        {
            if (_handles.RemoveAll(reference => reference.TryGetTarget(out IMeasured? one) && one == handle) > 0)
            {
                _sent += handle.Sent;
                _waits += handle.Waits;
                _stalls += handle.Stalls;
                _recoveries += handle.Recoveries;
                Add(_consumed, handle.Consumed());
                _status = null;
            }
        }
    }

    /// <summary>Whether this process has the queue open.</summary>
    public bool IsOpen
    {
        get
        {
            lock (_sync)
            {
                _handles.RemoveAll(static reference => !reference.TryGetTarget(out _));
                return _handles.Count > 0;
            }
        }
    }

    public long Sent() => Sum(static queue => queue._sent, static handle => handle.Sent);

    public long Waits() => Sum(static queue => queue._waits, static handle => handle.Waits);

    public long Stalls() => Sum(static queue => queue._stalls, static handle => handle.Stalls);

    public long Recoveries() => Sum(static queue => queue._recoveries, static handle => handle.Recoveries);

    /// <summary>How many damages calls of this process have met.</summary>
    public long Damages()
    {
        lock (_sync)
        {
            return _damages;
        }
    }

    /// <summary>Counts a damage.</summary>
    public void NoteDamage()
    {
        lock (_sync)
        {
            _damages++;
        }
    }

    /// <summary>By subscription.</summary>
    public Dictionary<string, long> Consumed()
    {
        lock (_sync)
        {
            var all = new Dictionary<string, long>(_consumed);
            foreach (IMeasured handle in Handles())
            {
                Add(all, handle.Consumed());
            }
            return all;
        }
    }

    /// <summary>The queue's status.</summary>
    /// <param name="asker">The number of the instrument, 0 to 63.</param>
    /// <param name="segmentSize">Bytes.</param>
    /// <returns>null if this process no longer has the queue open, or it cannot be read.</returns>
    public QueueStatus? Status(int asker, out long segmentSize)
    {
        IMeasured? handle;
        lock (_sync)
        {
            handle = Handles().FirstOrDefault();
            segmentSize = handle?.SegmentSize ?? 0;
            if (handle is null)
            {
                return null;
            }
            if (_status is not null && (_askers & (1L << asker)) == 0 && Stopwatch.GetElapsedTime(_readAt) < LongestUse)
            {
                _askers |= 1L << asker;
                return _status;
            }
        }
        QueueStatus status;
        try
        {
            status = handle.GetStatus();
        }
        catch (Exception exception) when (exception is QueueException or ObjectDisposedException or IOException
            or UnauthorizedAccessException)
        {
            return null;
        }
        lock (_sync)
        {
            (_status, _readAt, _askers) = (status, Stopwatch.GetTimestamp(), 1L << asker);
        }
        return status;
    }

    private long Sum(Func<MeasuredQueue, long> ended, Func<IMeasured, long> open)
    {
        lock (_sync)
        {
            return ended(this) + Handles().Sum(open);
        }
    }

    private List<IMeasured> Handles()
    {
        List<IMeasured> open = [];
        foreach (WeakReference<IMeasured> reference in _handles)
        {
            if (reference.TryGetTarget(out IMeasured? handle))
            {
                open.Add(handle);
            }
        }
        return open;
    }

    private static void Add(Dictionary<string, long> counts, Dictionary<string, long> more)
    {
        foreach ((string name, long count) in more)
        {
            counts[name] = counts.GetValueOrDefault(name) + count;
        }
    }
}
