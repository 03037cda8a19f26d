using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// A thread that sleeps for asynchronous calls of the process: on all their wake words at once, and on one of its own that says that
/// there are more. One is enough for 127 words. It exists while somebody waits, and a second longer.
/// </summary>
/// <remarks>
/// Two such threads take the first words that are waited on. Where there are more, the others are swept (<see cref="WaitSweep"/>), until
/// one is woken: it has a place in a further thread then, for as long as it is in use. So thousands of idle waits need few threads, and
/// those in use are woken by the kernel. No user code runs here: the thread ends waits, whose calls go on on the thread pool.
/// </remarks>
internal sealed class WaitThread : IWaitHome
{
    // So many threads take whatever comes first.
    private const int UsualThreads = 2;

    // So long a word that was swept before keeps its place here after it was woken, in milliseconds.
    private const int BusyMilliseconds = 2000;

    /// <summary>The thread's name, short enough for the kernel's 15 bytes.</summary>
    public const string Name = "BlitQueue waits";

    /// <summary>Guards which thread looks after which place.</summary>
    public static readonly Lock Sync = new();
    private static readonly List<WaitThread> All = [];

    // Takes what was swept and is in use.
    private readonly bool _isForBusy;

    // All three are guarded by Sync; the round is the thread's own copy.
    private readonly List<AsyncWaitQueue> _places = [];
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

    /// <summary>Has some thread look after the place's word too.</summary>
    public static void Join(AsyncWaitQueue place)
    {
        lock (Sync)
        {
            if (WithRoom(isForBusy: false) is { } thread)
            {
                thread.Take(place);
            }
            else
            {
                WaitSweep.Take(place);
            }
        }
    }

    /// <summary>Undoes <see cref="Join"/>. A sleep that goes on meanwhile does no harm.</summary>
    public static void Leave(AsyncWaitQueue place)
    {
        lock (Sync)
        {
            place.Home?.Remove(place);
            place.Home = null;
        }
    }

    /// <summary>Has everything looked at again that waits on the place's word.</summary>
    public static void Wake(AsyncWaitQueue place)
    {
        lock (Sync)
        {
            place.IsToBeLookedAt = true;
            place.Home?.Wake();
        }
    }

    /// <summary>What was swept is in use: the kernel wakes it from now on.</summary>
    public static void Promote(AsyncWaitQueue place)
    {
        lock (Sync)
        {
            if (place.Home is WaitSweep sweep)
            {
                sweep.Remove(place);
                WithRoom(isForBusy: true)!.Take(place);
            }
        }
    }

    // Called inside of Sync, as the three that follow. null where all usual threads are full.
    private static WaitThread? WithRoom(bool isForBusy)
    {
        WaitThread? thread = All.Find(thread => thread._isForBusy == isForBusy && thread._places.Count < thread._words.Length - 1);
        if (thread is null && (isForBusy || All.Count(static thread => !thread._isForBusy) < UsualThreads))
        {
            thread = new WaitThread(Platform, isForBusy);
            // It begins when this lock is left.
            new Thread(thread.Run) { IsBackground = true, Name = Name }.UnsafeStart();
            All.Add(thread);
        }
        return thread;
    }

    private void Take(AsyncWaitQueue place)
    {
        place.Home = this;
        _places.Add(place);
        _changed = true;
        Wake();
    }

    void IWaitHome.Remove(AsyncWaitQueue place)
    {
        _places.Remove(place);
        _changed = true;
        if (_places.Count == 0)
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
            // Taken before the places are: a place that joins later changes the word, and the sleep ends at once.
            _words[0] = new ExpectedWord(_more.Address, MachineMemory.Load(ref _more.Value));
            if (!TryBeginRound())
            {
                return;
            }
            int count = 1;
            foreach (AsyncWaitQueue place in _round)
            {
                if (place.TryAnnounce(out _words[count]))
                {
                    count++;
                }
            }
            // One for all the marks: SYNC POINT sleeper/waker.
            MachineMemory.SleeperFence();
            bool thorough = IsTimeForThoroughLook();
            foreach (AsyncWaitQueue place in _round)
            {
                place.Look(thorough);
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
            foreach (AsyncWaitQueue place in _round)
            {
                if (place.Home == this && now - place.LastWoken > BusyMilliseconds)
                {
                    ((IWaitHome)this).Remove(place);
                    WaitSweep.Take(place);
                }
            }
        }
    }

    // False when nobody is left, and the thread is to end.
    private bool TryBeginRound()
    {
        lock (Sync)
        {
            if (_places.Count == 0)
            {
                All.Remove(this);
                return false;
            }
            if (_changed)
            {
                _changed = false;
                _round.Clear();
                _round.AddRange(_places);
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
