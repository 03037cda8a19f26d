using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>The asynchronous calls that wait for one wake word of an open queue.</summary>
/// <remarks>
/// SYNC POINT sleeper/waker: a call that adds a wait sets the sleeper's mark, fences, and looks once more. It need not wake the thread that
/// sleeps for all calls: that thread sleeps on this word already, with a ticket that is not newer, or its own word wakes it.
/// </remarks>
internal sealed class AsyncWaitQueue(CallGate gate, EventCount word)
{
    // How long the thread still sleeps on a word for which no call waits, milliseconds: the same consumer is likely to wait again soon.
    private const int IdleMilliseconds = 1000;

    // A word that was not woken is looked at, too: a waker may have been killed, or leases' holders may have died. The more waits a process
    // has, the rarer these looks: one wait is looked at per millisecond, and each at least once in so many milliseconds.
    private const int LongestUnseen = 10_000;

    // How many of the calls that look for the same are ended at first.
    private const int FewestEnded = 16, MostEnded = 1 << 20, FoundNothing = -1;

    // How many waits this process has begun, and how many of them have ended.
    private static long Begun, Over;

    private readonly Lock _sync = new();

    // Those that have waited longest come first.
    private readonly LinkedList<PendingWait> _waits = [];
    private AsyncWaitQueue[]? _alone;
    private long _lastUse;
    private bool _isJoined;
    private Func<QueueException>? _denial;

    // The word may be unmapped while the gate is open, as the file of a dead client is. The owner first closes the waits, then waits for
    // the callers that are inside of the gate: a caller that reads this inside of the gate either sees it, or is one of those.
    private volatile bool _closed;

    // Only the home's thread uses these.
    private long _nextLook;
    private bool _isDue;
    private int _ticket = word.Ticket<MachineMemory>();
    private int _mostEnded = FewestEnded;

    // For each look of a round how many calls it may still end; or that it has found nothing.
    private readonly Dictionary<Func<bool, bool>, int> _mayEnd = new(ReferenceEqualityComparer.Instance);

    /// <summary>The thread that watches the word; null if no call waits. Guarded by the lock of <see cref="WaitThread"/>.</summary>
    public IWaitHome? Home { get; set; }

    /// <summary>Whether the thread must look for all calls that wait here, even if the word was not woken.</summary>
    public AtomicFlag IsToBeLookedAt { get; } = new();

    /// <summary>Whether its mark needs a heavy fence. For the home's thread.</summary>
    private bool NeedsFence { get; set; }

    /// <summary>When the home last saw that the word was woken, milliseconds since the system's start.</summary>
    public long LastWoken { get; private set; }

    /// <summary>
    /// Whether the thread must look at the queue: the word was woken since <see cref="TryAnnounce"/>, or the last look was long ago. For
    /// the home's thread.
    /// </summary>
    public bool IsDue(long now)
    {
        try
        {
            using CallGate.Call call = gate.Enter();
            return !_closed && (word.Ticket<MachineMemory>() != _ticket || IsToBeLookedAt.IsSet || now >= _nextLook);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>Waits until the call should try again.</summary>
    /// <param name="look">See <see cref="PendingWait"/>. Any thread may call it, so it must not run user code.</param>
    /// <param name="cancellationToken">Ends the wait with <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="ObjectDisposedException">The queue was disposed, before or during the wait.</exception>
    public ValueTask WaitAsync(Func<bool, bool> look, CancellationToken cancellationToken) =>
        WaitAnyAsync(_alone ??= [this], look, cancellationToken);

    /// <summary>As <see cref="WaitAsync"/>, for the words of several queues at once; all of the queues are looked at.</summary>
    /// <exception cref="ObjectDisposedException">One of the queues was disposed, before or during the wait.</exception>
    public static async ValueTask WaitAnyAsync(AsyncWaitQueue[] queues, Func<bool, bool> look, CancellationToken cancellationToken)
    {
        var wait = new PendingWait(look);
        var nodes = new LinkedListNode<PendingWait>[queues.Length];
        MachineMemory.Increment(ref Begun);
        try
        {
            for (int i = 0; i < queues.Length; i++)
            {
                queues[i].Add(nodes[i] = new LinkedListNode<PendingWait>(wait));
            }
            using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
                (_, token) => wait.TrySetCanceled(token), null);
            await wait.Task.ConfigureAwait(false);
        }
        finally
        {
            MachineMemory.Increment(ref Over);
            // One queue ended the wait; the others still have it.
            for (int i = 0; i < queues.Length; i++)
            {
                queues[i].TryRemove(nodes[i]);
            }
        }
    }

    private void Add(LinkedListNode<PendingWait> wait)
    {
        using CallGate.Call call = gate.Enter();
        lock (_sync)
        {
            if (_closed)
            {
                throw gate.Disposed();
            }
            if (_denial is { } denial)
            {
                throw denial();
            }
            _waits.AddLast(wait);
            _lastUse = Environment.TickCount64;
            if (!_isJoined)
            {
                // If the system gives no thread, the next wait asks for one again.
                WaitThread.Join(this);
                _isJoined = true;
            }
        }
        word.PrepareWait<MachineMemory>();
        if (wait.Value.IsOver(thorough: false) && TryRemove(wait))
        {
            wait.Value.TrySetResult();
        }
    }

    // null where the wait was not added, because an earlier queue of its call was closed.
    private bool TryRemove(LinkedListNode<PendingWait>? wait)
    {
        lock (_sync)
        {
            if (wait?.List is null)
            {
                return false;
            }
            _waits.Remove(wait);
            return true;
        }
    }

    /// <summary>Ends every wait with <see cref="ObjectDisposedException"/>, and refuses new ones.</summary>
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

    /// <summary>
    /// Ends every wait, so that its call tries once more; if it must wait again then, it throws what this returns. For null calls wait as
    /// before.
    /// </summary>
    public void Deny(Func<QueueException>? denial)
    {
        lock (_sync)
        {
            _denial = denial;
            if (denial is not null)
            {
                foreach (PendingWait wait in _waits)
                {
                    wait.TrySetResult();
                }
                _waits.Clear();
            }
        }
    }

    /// <summary>Makes the thread look for every wait soon.</summary>
    public void LookAgain()
    {
        lock (_sync)
        {
            WaitThread.Wake(this);
        }
    }

    /// <summary>
    /// For the waiting thread: takes the ticket, and sets the mark if any call waits. The caller calls <see cref="Fence"/>.
    /// </summary>
    /// <returns>false if the waits are closed: there is no word to sleep on.</returns>
    public bool TryAnnounce(out ExpectedWord sleepOn)
    {
        sleepOn = default;
        try
        {
            using CallGate.Call call = gate.Enter();
            NeedsFence = false;
            if (_closed)
            {
                return false;
            }
            // In one step: what is asked for from now on is the next round's.
            _isDue = IsToBeLookedAt.TryClear();
            bool isFenced = true;
            int ticket = IsWaitedOn() ? word.Mark<MachineMemory>(out isFenced) : word.Ticket<MachineMemory>();
            NeedsFence = !isFenced;
            if (ticket != _ticket)
            {
                (_ticket, LastWoken, _isDue) = (ticket, Environment.TickCount64, true);
            }
            sleepOn = word.Expecting(ticket);
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>For the waiting thread: one heavy fence for all the marks of a round that need one.</summary>
    public static void Fence(List<AsyncWaitQueue> round)
    {
        // SYNC POINT sleeper/waker
        if (!round.Exists(static queue => queue.NeedsFence) || !MachineMemory.SleeperFence())
        {
            return;
        }
        foreach (AsyncWaitQueue queue in round)
        {
            queue.NoteFence();
        }
    }

    private void NoteFence()
    {
        if (!NeedsFence)
        {
            return;
        }
        try
        {
            using CallGate.Call call = gate.Enter();
            if (!_closed)
            {
                word.NoteFence<MachineMemory>(_ticket);
            }
        }
        catch (ObjectDisposedException)
        {
            // No thread sleeps on it any more.
        }
    }

    /// <summary>Whether any call waits.</summary>
    public bool IsWaitedOn()
    {
        lock (_sync)
        {
            return _waits.Count > 0;
        }
    }

    /// <summary>
    /// For the waiting thread: ends the waits whose calls should try again; leaves the thread after a long time without waits.
    /// </summary>
    public void Look(bool thorough)
    {
        lock (_sync)
        {
            long now = Environment.TickCount64;
            if (_waits.Count > 0)
            {
                _lastUse = now;
                // Each wait has looked after it set its mark: so there is nothing to find unless the word was woken.
                if (_isDue || now >= _nextLook)
                {
                    _nextLook = now + Math.Min(
                        MachineMemory.Load(ref Begun) - MachineMemory.Load(ref Over), LongestUnseen);
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

    // The calls of one subscription have the same look, so it runs once for all of them. What it has found may be one message: of
    // thousands of calls that try again one would get it, and all others wait anew. So a few are ended, and the look runs again soon; for
    // as long as it finds something, twice as many each time.
    private void EndWaits(bool thorough)
    {
        bool isMore = false;
        LinkedListNode<PendingWait>? next;
        for (LinkedListNode<PendingWait>? wait = _waits.First; wait is not null; wait = next)
        {
            next = wait.Next;
            ref int mayEnd = ref MayEnd(wait.Value, thorough);
            isMore |= mayEnd == 0;
            if (mayEnd > 0 && wait.Value.TrySetResult())
            {
                mayEnd--;
                _waits.Remove(wait);
            }
        }
        _mayEnd.Clear();
        _mostEnded = isMore ? Math.Min(2 * _mostEnded, MostEnded) : FewestEnded;
        if (isMore)
        {
            IsToBeLookedAt.TrySet();
        }
    }

    private ref int MayEnd(PendingWait wait, bool thorough)
    {
        ref int mayEnd = ref CollectionsMarshal.GetValueRefOrAddDefault(_mayEnd, wait.Looks, out bool hasLooked);
        if (!hasLooked)
        {
            mayEnd = wait.IsOver(thorough) ? _mostEnded : FoundNothing;
        }
        return ref mayEnd;
    }

    /// <summary>
    /// One asynchronous call that waits. Its task ends when the call should try again; another consumer may have taken the message by then.
    /// The continuation runs on the thread pool, never on the thread that ends the wait.
    /// </summary>
    /// <param name="look">Whether trying again may succeed; with the argument true, it also checks for rare causes.</param>
    private sealed class PendingWait(Func<bool, bool> look) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public Func<bool, bool> Looks => look;

        /// <summary>
        /// Whether the call should try again. Also true if looking throws: the call then meets the same exception, and throws it.
        /// </summary>
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
