using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// A thread that sleeps for the process's asynchronous calls: on all their wake words at once, and on a word of its own that changes when a
/// queue joins. One thread can sleep on 127 wake words. It exists while a call waits, and a second longer.
/// </summary>
/// <remarks>
/// Two such threads take the first words for which calls wait. Further words are polled (<see cref="WaitSweep"/>) until one is woken: its
/// queue then joins another such thread, for as long as the word is in use. So thousands of idle waits need few threads, and the kernel
/// wakes those that are in use. No user code runs here: the thread ends waits, whose calls continue on the thread pool.
/// </remarks>
internal sealed class WaitThread : IWaitHome
{
    // How many threads take the first words.
    private const int UsualThreads = 2;

    // How long a word that was polled before stays here after it was woken, milliseconds.
    private const int BusyMilliseconds = 2000;

    /// <summary>The thread's name, short enough for the kernel's 15 bytes.</summary>
    public const string Name = "BlitQueue waits";

    /// <summary>Guards which thread watches which queue.</summary>
    public static readonly Lock Sync = new();
    private static readonly List<WaitThread> All = [];

    // Whether the thread takes words that were polled before and are now in use.
    private readonly bool _isForBusy;

    // Sync guards all three; the round is the thread's own copy.
    private readonly List<AsyncWaitQueue> _queues = [];
    private readonly List<AsyncWaitQueue> _round = [];
    private bool _changed;

    private readonly PinnedInt32 _more = new();
    private readonly IPlatform _platform;
    private readonly ExpectedWord[] _words;
    private long _lastThoroughLook;

    private WaitThread(IPlatform platform, bool isForBusy)
    {
        (_platform, _isForBusy) = (platform, isForBusy);
        _words = new ExpectedWord[platform.MostWords];
    }

    /// <summary>
    /// After this time the thread looks at everything by itself: a waker may have been killed, and no process wakes it for leases of dead
    /// holders. Twice the time of a single sleeper, because a look for a hundred calls is not free.
    /// </summary>
    public static readonly TimeSpan UsualSleep = 2 * EventCount.LongestSleep;

    // Until the calls that were ended have tried again, where more calls may be due than those.
    private static readonly TimeSpan ShortSleep = TimeSpan.FromMilliseconds(1);

    /// <summary>The longest sleep. A test for lost wake-ups makes it endless, so that a lost one is noticed.</summary>
    public static TimeSpan LongestSleep { get; set; } = UsualSleep;

    /// <summary>The platform that sleeps. A test of the fallback sets one that cannot sleep on several words.</summary>
    public static IPlatform Platform { get; set; } = CurrentPlatform.Instance;

    /// <summary>Makes a thread watch the queue's word, too.</summary>
    public static void Join(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            if (WithFreeWord(isForBusy: false) is { } thread)
            {
                thread.Take(queue);
            }
            else
            {
                WaitSweep.Take(queue);
            }
        }
    }

    /// <summary>Undoes <see cref="Join"/>. A sleep that still has the word does no harm.</summary>
    public static void Leave(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            queue.Home?.Remove(queue);
            queue.Home = null;
        }
    }

    /// <summary>Makes the thread look again for all calls that wait for the queue's word.</summary>
    public static void Wake(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            queue.IsToBeLookedAt.TrySet();
            queue.Home?.Wake();
        }
    }

    /// <summary>Moves a polled word that is in use to such a thread, so that the kernel wakes it from now on.</summary>
    public static void Promote(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            if (queue.Home is WaitSweep sweep && TryFindFreeWord() is { } thread)
            {
                sweep.Remove(queue);
                thread.Take(queue);
            }
        }
    }

    // Called inside Sync, as are the next four methods. null if the system gives no thread: the word is polled as before.
    private static WaitThread? TryFindFreeWord()
    {
        try
        {
            return WithFreeWord(isForBusy: true);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    // null if all usual threads are full.
    private static WaitThread? WithFreeWord(bool isForBusy)
    {
        WaitThread? thread = All.Find(thread => thread._isForBusy == isForBusy && thread._queues.Count < thread._words.Length - 1);
        if (thread is null && (isForBusy || All.Count(static thread => !thread._isForBusy) < UsualThreads))
        {
            thread = new WaitThread(Platform, isForBusy);
            // The thread begins its work when this lock is released.
            new Thread(thread.Run) { IsBackground = true, Name = Name }.UnsafeStart();
            All.Add(thread);
        }
        return thread;
    }

    private void Take(AsyncWaitQueue queue)
    {
        queue.Home = this;
        _queues.Add(queue);
        _changed = true;
        Wake();
    }

    void IWaitHome.Remove(AsyncWaitQueue queue)
    {
        _queues.Remove(queue);
        _changed = true;
        if (_queues.Count == 0)
        {
            // Wakes the thread so that it ends.
            Wake();
        }
    }

    void IWaitHome.Wake() => Wake();

    private void Wake() => _platform.WakeAll(_more.Address, _more.Increment());

    private void Run()
    {
        for (; ; )
        {
            // Read before the queues: a queue that joins later changes the word, and the sleep ends at once.
            _words[0] = new ExpectedWord(_more.Address, MachineMemory.Load(ref _more.Value), IsOwn: true);
            if (!TryBeginRound())
            {
                return;
            }
            int count = 1;
            foreach (AsyncWaitQueue queue in _round)
            {
                if (queue.TryAnnounce(out _words[count]))
                {
                    count++;
                }
            }
            AsyncWaitQueue.Fence(_round);
            bool thorough = IsTimeForThoroughLook();
            foreach (AsyncWaitQueue queue in _round)
            {
                queue.Look(thorough);
            }
            if (_isForBusy && thorough)
            {
                SweepIdle();
            }
            bool isMoreDue = _round.Exists(static queue => queue.IsToBeLookedAt.IsSet);
            _platform.WaitAny(_words.AsSpan(0, count), isMoreDue ? ShortSleep : LongestSleep);
        }
    }

    private void SweepIdle()
    {
        long now = Environment.TickCount64;
        lock (Sync)
        {
            foreach (AsyncWaitQueue queue in _round)
            {
                if (queue.Home == this && now - queue.LastWoken > BusyMilliseconds)
                {
                    ((IWaitHome)this).Remove(queue);
                    WaitSweep.Take(queue);
                }
            }
        }
    }

    // False if no queue is left and the thread must end.
    private bool TryBeginRound()
    {
        lock (Sync)
        {
            if (_queues.Count == 0)
            {
                All.Remove(this);
                return false;
            }
            if (_changed)
            {
                _changed = false;
                _round.Clear();
                _round.AddRange(_queues);
            }
            return true;
        }
    }

    // Also while the thread is woken all the time.
    private bool IsTimeForThoroughLook()
    {
        long now = Environment.TickCount64;
        if (now - _lastThoroughLook < (long)UsualSleep.TotalMilliseconds)
        {
            return false;
        }
        _lastThoroughLook = now;
        return true;
    }
}
