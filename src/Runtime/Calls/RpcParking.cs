namespace BlitQueue.Calls;

/// <summary>
/// The calls that threads in <c>Serve</c> have left, because the client has not written all of a long request, or not read all of a long
/// reply. They go on without a thread. A request that is whole waits here for a thread that serves: handlers run on no other.
/// </summary>
/// <param name="most">How many calls may be here: each has a message in the memory of this process.</param>
internal sealed class RpcParking(int most)
{
    // Pulsed where the last thread has to look again.
    private readonly object _sync = new();

    // All guarded by the lock.
    private readonly Queue<RpcContext> _whole = new();
    private int _parked, _threads;

    private volatile bool _hasWhole;

    /// <summary>Whether a request waits for a thread.</summary>
    public bool HasWhole => _hasWhole;

    /// <summary>One more thread serves.</summary>
    public void BeginThread()
    {
        lock (_sync)
        {
            _threads++;
            Monitor.PulseAll(_sync);
        }
    }

    /// <summary>Counts a call that its thread is about to leave.</summary>
    /// <returns>false if there are as many as may be: the thread waits for the client.</returns>
    public bool TryPark()
    {
        lock (_sync)
        {
            bool mayPark = _parked < most;
            _parked += mayPark ? 1 : 0;
            return mayPark;
        }
    }

    /// <summary>A call has ended without a thread.</summary>
    public void Leave()
    {
        lock (_sync)
        {
            _parked--;
            Monitor.PulseAll(_sync);
        }
    }

    /// <summary>The request of a call is whole.</summary>
    public void Give(RpcContext call)
    {
        lock (_sync)
        {
            _whole.Enqueue(call);
            _hasWhole = true;
            Monitor.PulseAll(_sync);
        }
    }

    /// <summary>Takes a call whose request is whole: it is the calling thread's.</summary>
    public bool TryTake([NotNullWhen(true)] out RpcContext? call)
    {
        call = null;
        if (!_hasWhole)
        {
            return false;
        }
        lock (_sync)
        {
            return TryTakeInside(out call);
        }
    }

    // Inside of the lock.
    private bool TryTakeInside([NotNullWhen(true)] out RpcContext? call)
    {
        if (!_whole.TryDequeue(out call))
        {
            return false;
        }
        _hasWhole = _whole.Count > 0;
        _parked--;
        return true;
    }

    /// <summary>
    /// By a thread that takes no further calls: waits for those that are here, unless another thread serves, and takes those whose request
    /// is whole.
    /// </summary>
    /// <returns>false if the thread can leave; it is counted no more.</returns>
    public bool TryTakeLast([NotNullWhen(true)] out RpcContext? call)
    {
        lock (_sync)
        {
            for (; ; Monitor.Wait(_sync))
            {
                if (_threads > 1 || _parked == 0)
                {
                    _threads--;
                    call = null;
                    return false;
                }
                if (TryTakeInside(out call))
                {
                    return true;
                }
            }
        }
    }
}
