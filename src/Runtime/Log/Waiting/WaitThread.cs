using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// A thread that sleeps for asynchronous calls of the process: on all their wake words at once, and on one of its own that says that
/// there are more. One is enough for 127 words. It exists while somebody waits, and a second longer.
/// </summary>
/// <remarks>
/// Two such threads take the first words that are waited on. Where there are more, the others are swept (<see cref="WaitSweep"/>), until
/// one is woken: it has a queue in a further thread then, for as long as it is in use. So thousands of idle waits need few threads, and
/// those in use are woken by the kernel. No user code runs here: the thread ends waits, whose calls go on on the thread pool.
/// </remarks>
internal sealed class WaitThread : IWaitHome
{
    // So many threads take whatever comes first.
    private const int UsualThreads = 2;

    // So long a word that was swept before keeps its queue here after it was woken, in milliseconds.
    private const int BusyMilliseconds = 2000;

    /// <summary>The thread's name, short enough for the kernel's 15 bytes.</summary>
    public const string Name = "BlitQueue waits";

    /// <summary>Guards which thread looks after which queue.</summary>
    public static readonly Lock Sync = new();
    private static readonly List<WaitThread> All = [];

    // Takes what was swept and is in use.
    private readonly bool _isForBusy;

    // All three are guarded by Sync; the round is the thread's own copy.
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
    /// After this long it looks at everything by itself, in case that a waker was killed, and for what nobody wakes for, as the leases of
    /// the dead. Twice what one sleeper takes: a look on behalf of a hundred is not free.
    /// </summary>
    public static readonly TimeSpan UsualSleep = 2 * EventCount.LongestSleep;

    /// <summary>How long a sleep lasts at most. A test that looks for lost wake-ups makes it endless, so that one shows.</summary>
    public static TimeSpan LongestSleep { get; set; } = UsualSleep;

    /// <summary>What sleeps. A test of the fallback puts in one that cannot sleep on several words.</summary>
    public static IPlatform Platform { get; set; } = CurrentPlatform.Instance;

    /// <summary>Has some thread look after the queue's word too.</summary>
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

    /// <summary>Undoes <see cref="Join"/>. A sleep that goes on meanwhile does no harm.</summary>
    public static void Leave(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            queue.Home?.Remove(queue);
            queue.Home = null;
        }
    }

    /// <summary>Has everything looked at again that waits on the queue's word.</summary>
    public static void Wake(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            queue.IsToBeLookedAt = true;
            queue.Home?.Wake();
        }
    }

    /// <summary>What was swept is in use: the kernel wakes it from now on.</summary>
    public static void Promote(AsyncWaitQueue queue)
    {
        lock (Sync)
        {
            if (queue.Home is WaitSweep sweep)
            {
                sweep.Remove(queue);
                WithFreeWord(isForBusy: true)!.Take(queue);
            }
        }
    }

    // Called inside of Sync, as the three that follow. null where all usual threads are full.
    private static WaitThread? WithFreeWord(bool isForBusy)
    {
        WaitThread? thread = All.Find(thread => thread._isForBusy == isForBusy && thread._queues.Count < thread._words.Length - 1);
        if (thread is null && (isForBusy || All.Count(static thread => !thread._isForBusy) < UsualThreads))
        {
            thread = new WaitThread(Platform, isForBusy);
            // It begins when this lock is left.
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
            // To end.
            Wake();
        }
    }

    void IWaitHome.Wake() => Wake();

    private void Wake()
    {
        MachineMemory.Increment(ref _more.Value);
        _platform.WakeAll(_more.Address);
    }

    private void Run()
    {
        for (; ; )
        {
            // Taken before the queues are: a queue that joins later changes the word, and the sleep ends at once.
            _words[0] = new ExpectedWord(_more.Address, MachineMemory.Load(ref _more.Value));
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
            // One for all the marks: SYNC POINT sleeper/waker.
            MachineMemory.SleeperFence();
            bool thorough = IsTimeForThoroughLook();
            foreach (AsyncWaitQueue queue in _round)
            {
                queue.Look(thorough);
            }
            if (_isForBusy && thorough)
            {
                SweepIdle();
            }
            _platform.WaitAny(_words.AsSpan(0, count), LongestSleep);
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

    // False when nobody is left, and the thread is to end.
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

    // Where it is woken all the time, too.
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
