using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>The asynchronous calls that wait on one wake word of an open queue.</summary>
/// <remarks>
/// SYNC POINT sleeper/waker: who adds a wait leaves the sleeper's mark, fences and looks once more by itself. The thread that sleeps for all
/// need not be woken for it: it has this word in its sleep already, with a ticket at least as old, or its own word tells it to.
/// </remarks>
internal sealed class WaitPlace(CallGate gate, WakeWord word)
{
    // So long the thread goes on sleeping on a word nobody waits on: the next wait is likely to be the same consumer's.
    private const int KeepMilliseconds = 1000;

    private readonly Lock _sync = new();
    private readonly HashSet<PendingWait> _waits = [];
    private WaitThread? _thread;
    private WaitPlace[]? _alone;
    private long _lastUse;
    private bool _closed;

    /// <summary>Waits until looking is promising.</summary>
    /// <param name="look">See <see cref="PendingWait"/>; called by any thread, without user code in it.</param>
    /// <param name="ct">Ends the wait with <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ObjectDisposedException">The queue was disposed, before or during the wait.</exception>
    public ValueTask WaitAsync(Func<bool, bool> look, CancellationToken ct) => WaitAnyAsync(_alone ??= [this], look, ct);

    /// <summary>As <see cref="WaitAsync"/>, on the words of several queues at once, which are all looked at.</summary>
    /// <exception cref="ObjectDisposedException">One of the queues was disposed, before or during the wait.</exception>
    public static async ValueTask WaitAnyAsync(WaitPlace[] places, Func<bool, bool> look, CancellationToken ct)
    {
        var wait = new PendingWait(look);
        try
        {
            foreach (WaitPlace place in places)
            {
                place.Add(wait);
            }
            using CancellationTokenRegistration registration = ct.UnsafeRegister((_, token) => wait.TrySetCanceled(token), null);
            await wait.Task.ConfigureAwait(false);
        }
        finally
        {
            // Whichever place ended it: the others do not know.
            foreach (WaitPlace place in places)
            {
                place.TryRemove(wait);
            }
        }
    }

    private void Add(PendingWait wait)
    {
        using CallGate.Call call = gate.Enter();
        lock (_sync)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(QueueStore));
            _waits.Add(wait);
            _lastUse = Environment.TickCount64;
            _thread ??= WaitThread.Join(this);
        }
        word.Announce<MachineMemory>();
        if (wait.IsOver(thorough: false) && TryRemove(wait))
        {
            wait.TrySetResult();
        }
    }

    private bool TryRemove(PendingWait wait)
    {
        lock (_sync)
        {
            return _waits.Remove(wait);
        }
    }

    /// <summary>Ends every wait with <see cref="ObjectDisposedException"/>, and lets no more in.</summary>
    public void Close()
    {
        lock (_sync)
        {
            _closed = true;
            _thread?.Leave(this);
            _thread = null;
            foreach (PendingWait wait in _waits)
            {
                wait.TrySetException(new ObjectDisposedException(null, "The queue was disposed."));
            }
            _waits.Clear();
        }
    }

    /// <summary>Has everyone's wait looked at again soon.</summary>
    public void LookAgain()
    {
        lock (_sync)
        {
            _thread?.Wake();
        }
    }

    /// <summary>For the waiting thread: takes the ticket, and leaves the mark if somebody waits. The fence is the caller's.</summary>
    /// <returns>false when the queue is disposed: there is nothing to sleep on.</returns>
    public bool TryAnnounce(out ExpectedWord sleepOn)
    {
        sleepOn = default;
        try
        {
            using CallGate.Call call = gate.Enter();
            sleepOn = word.Expecting(word.Ticket<MachineMemory>());
            if (IsWaitedOn())
            {
                word.Mark<MachineMemory>();
            }
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private bool IsWaitedOn()
    {
        lock (_sync)
        {
            return _waits.Count > 0;
        }
    }

    /// <summary>For the waiting thread: ends the waits for which trying again is promising; leaves the thread when long unused.</summary>
    public void Look(bool thorough)
    {
        lock (_sync)
        {
            if (_waits.Count > 0)
            {
                _lastUse = Environment.TickCount64;
                _waits.RemoveWhere(wait => wait.IsOver(thorough) && wait.TrySetResult());
            }
            else if (_thread is not null && Environment.TickCount64 - _lastUse > KeepMilliseconds)
            {
                _thread.Leave(this);
                _thread = null;
            }
        }
    }

    /// <summary>
    /// One asynchronous call that waits. Its task ends when the call should try again; what it then finds may be another's already. What
    /// follows runs on the thread pool, never on the thread that ends the wait.
    /// </summary>
    /// <param name="look">Whether trying again may succeed; the argument is true when rare causes are to be looked at too.</param>
    private sealed class PendingWait(Func<bool, bool> look) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        /// <summary>Whether there is something to try again for. An exception is: the call meets it too, and throws it.</summary>
        public bool IsOver(bool thorough)
        {
            try
            {
                return look(thorough);
            }
            catch (Exception)
            {
                return true;
            }
        }
    }
}
