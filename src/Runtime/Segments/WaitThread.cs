using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>
/// A thread that sleeps for every asynchronous call of the process: on all their wake words at once, and on one of its own that says that
/// there are more. One is enough for 127 words; beyond that there is another. It exists while somebody waits, and a second longer.
/// </summary>
/// <remarks>No user code runs on it: it ends waits, whose calls go on on the thread pool.</remarks>
internal sealed class WaitThread
{
    /// <summary>The thread's name, short enough for the kernel's 15 bytes.</summary>
    public const string Name = "BlitQueue waits";

    private static readonly Lock Sync = new();
    private static readonly List<WaitThread> All = [];

    // All three are guarded by Sync; the round is the thread's own copy.
    private readonly List<WaitPlace> _places = [];
    private readonly List<WaitPlace> _round = [];
    private bool _changed;

    private readonly PinnedWord _more = new();
    private readonly IPlatform _platform;
    private readonly ExpectedWord[] _words;
    private long _lastThoroughLook;

    private WaitThread(IPlatform platform)
    {
        _platform = platform;
        _words = new ExpectedWord[platform.MostWords];
    }

    /// <summary>
    /// After this long it looks at everything by itself, in case that a waker was killed, and for what nobody wakes for, as the leases of the
    /// dead. Twice what one sleeper takes: a look on behalf of a hundred is not free.
    /// </summary>
    public static readonly TimeSpan UsualSleep = 2 * WakeWord.LongestSleep;

    /// <summary>How long a sleep lasts at most. A test that looks for lost wake-ups makes it endless, so that one shows.</summary>
    public static TimeSpan LongestSleep { get; set; } = UsualSleep;

    /// <summary>What sleeps. A test of the fallback puts in one that cannot sleep on several words.</summary>
    public static IPlatform Platform { get; set; } = Recommended.Platform;

    /// <summary>Has some thread sleep on the place's word too.</summary>
    public static WaitThread Join(WaitPlace place)
    {
        lock (Sync)
        {
            WaitThread? thread = All.Find(static thread => thread._places.Count < thread._words.Length - 1);
            if (thread is null)
            {
                thread = new WaitThread(Platform);
                // It begins when this lock is left.
                new Thread(thread.Run) { IsBackground = true, Name = Name }.UnsafeStart();
                All.Add(thread);
            }
            thread._places.Add(place);
            thread._changed = true;
            thread.Wake();
            return thread;
        }
    }

    /// <summary>Undoes <see cref="Join"/>. A sleep that goes on meanwhile does no harm.</summary>
    public void Leave(WaitPlace place)
    {
        lock (Sync)
        {
            _places.Remove(place);
            _changed = true;
            if (_places.Count == 0)
            {
                // To end.
                Wake();
            }
        }
    }

    /// <summary>Has the thread look at everything again.</summary>
    public void Wake()
    {
        MachineMemory.Increment(ref _more.Value);
        _platform.WakeAll(_more.Address);
    }

    private void Run()
    {
        for (;;)
        {
            // Taken before the places are: who joins later changes the word, and the sleep ends at once.
            _words[0] = new ExpectedWord(_more.Address, MachineMemory.Load(ref _more.Value));
            if (!TryBeginRound())
            {
                return;
            }
            int count = 1;
            foreach (WaitPlace place in _round)
            {
                if (place.TryAnnounce(out _words[count]))
                {
                    count++;
                }
            }
            // One for all the marks: SYNC POINT sleeper/waker.
            MachineMemory.SleeperFence();
            bool thorough = IsTimeForThoroughLook();
            foreach (WaitPlace place in _round)
            {
                place.Look(thorough);
            }
            _platform.WaitAny(_words.AsSpan(0, count), LongestSleep);
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
