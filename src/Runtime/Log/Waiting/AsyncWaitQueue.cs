using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>The asynchronous calls that wait on one wake word of an open queue.</summary>
/// <remarks>
/// SYNC POINT sleeper/waker: a call that adds a wait leaves the sleeper's mark, fences and looks once more by itself.
/// The thread that sleeps for all need not be woken for it: it has this word in its sleep already, with a ticket at
/// least as old, or its own word tells it to.
/// </remarks>
internal sealed class AsyncWaitQueue(CallGate gate, EventCount word)
{
    // So long the thread goes on sleeping on a word nobody waits on: the next wait is likely to be the same consumer's.
    private const int IdleMilliseconds = 1000;

    // What a word that nobody wakes is looked at for: a waker that was killed, leases of the dead. Of that the many
    // in a process get less, in milliseconds.
    private const int WaitsPerMillisecond = 2, LongestUnseen = 5000;

    // How many waits there have been in the process, and how many of them are over.
    private static long Begun, Over;

    private readonly Lock _sync = new();
    private readonly HashSet<PendingWait> _waits = [];
    private AsyncWaitQueue[]? _alone;
    private long _lastUse;
    private bool _isJoined;
    private bool _closed;

    // The home's thread alone has these.
    private long _nextLook;
    private bool _isDue;
    private int _ticket = word.Ticket<MachineMemory>();

    /// <summary>What looks after the word; null where nobody waits. Guarded by the lock of <see cref="WaitThread"/>.</summary>
    public IWaitHome? Home { get; set; }

    /// <summary>Whether everything that waits here is to be looked at, woken or not.</summary>
    public volatile bool IsToBeLookedAt;

    /// <summary>When its home last saw that the word was woken, milliseconds since the system's start.</summary>
    public long LastWoken { get; private set; }

    /// <summary>
    /// Whether the queue is to be looked at: the word was woken since <see cref="TryAnnounce"/>, or nobody has
    /// looked for long. For the home's thread.
    /// </summary>
    public bool IsDue(long now)
    {
        try
        {
            using CallGate.Call call = gate.Enter();
            return word.Ticket<MachineMemory>() != _ticket || IsToBeLookedAt || now >= _nextLook;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>Waits until looking is promising.</summary>
    /// <param name="look">See <see cref="PendingWait"/>; called by any thread, without user code in it.</param>
    /// <param name="cancellationToken">Ends the wait with <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ObjectDisposedException">The queue was disposed, before or during the wait.</exception>
    public ValueTask WaitAsync(Func<bool, bool> look, CancellationToken cancellationToken) =>
        WaitAnyAsync(_alone ??= [this], look, cancellationToken);

    /// <summary>As <see cref="WaitAsync"/>, on the words of several queues at once, which are all looked at.</summary>
    /// <exception cref="ObjectDisposedException">One of the queues was disposed, before or during the wait.</exception>
    public static async ValueTask WaitAnyAsync(AsyncWaitQueue[] queues, Func<bool, bool> look, CancellationToken cancellationToken)
    {
        var wait = new PendingWait(look);
        MachineMemory.Increment(ref Begun);
        try
        {
            foreach (AsyncWaitQueue queue in queues)
            {
                queue.Add(wait);
            }
            using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
                (_, token) => wait.TrySetCanceled(token), null);
            await wait.Task.ConfigureAwait(false);
        }
        finally
        {
            MachineMemory.Increment(ref Over);
            // Whichever queue ended it: the others do not know.
            foreach (AsyncWaitQueue queue in queues)
            {
                queue.TryRemove(wait);
            }
        }
    }

    private void Add(PendingWait wait)
    {
        using CallGate.Call call = gate.Enter();
        lock (_sync)
        {
            if (_closed)
            {
                throw gate.Disposed();
            }
            _waits.Add(wait);
            _lastUse = Environment.TickCount64;
            if (!_isJoined)
            {
                _isJoined = true;
                WaitThread.Join(this);
            }
        }
        word.PrepareWait<MachineMemory>();
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
            Leave();
            foreach (PendingWait wait in _waits)
            {
                wait.TrySetException(gate.Disposed());
            }
            _waits.Clear();
        }
    }

    /// <summary>Has everyone's wait looked at again soon.</summary>
    public void LookAgain()
    {
        lock (_sync)
        {
            WaitThread.Wake(this);
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
            _isDue = IsToBeLookedAt;
            IsToBeLookedAt = false;
            int ticket = word.Ticket<MachineMemory>();
            if (ticket != _ticket)
            {
                (_ticket, LastWoken, _isDue) = (ticket, Environment.TickCount64, true);
            }
            sleepOn = word.Expecting(ticket);
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
            long now = Environment.TickCount64;
            if (_waits.Count > 0)
            {
                _lastUse = now;
                // Each wait has looked by itself after it left its mark: so there is nothing to find unless the word was woken.
                if (_isDue || now >= _nextLook)
                {
                    _nextLook = now + Math.Min(
                        (MachineMemory.Load(ref Begun) - MachineMemory.Load(ref Over)) / WaitsPerMillisecond, LongestUnseen);
                    EndWaits(thorough);
                }
            }
            else if (now - _lastUse > IdleMilliseconds)
            {
                Leave();
            }
        }
    }

    private void Leave()
    {
        if (_isJoined)
        {
            _isJoined = false;
            WaitThread.Leave(this);
        }
    }

    // Calls of one subscription look alike, so they are looked at once.
    private void EndWaits(bool thorough)
    {
        PendingWait? before = null;
        bool wasOver = false;
        _waits.RemoveWhere(wait =>
        {
            if (before?.LooksAs(wait) != true)
            {
                (before, wasOver) = (wait, wait.IsOver(thorough));
            }
            return wasOver && wait.TrySetResult();
        });
    }

    /// <summary>
    /// One asynchronous call that waits. Its task ends when the call should try again; what it then finds may be another's already. What
    /// follows runs on the thread pool, never on the thread that ends the wait.
    /// </summary>
    /// <param name="look">Whether trying again may succeed; the argument is true when rare causes are to be looked at too.</param>
    private sealed class PendingWait(Func<bool, bool> look) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public bool LooksAs(PendingWait other) => other.Looks == Looks;

        private Func<bool, bool> Looks => look;

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
