using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>What one thread of Windows needs to sleep on words, reused from sleep to sleep.</summary>
internal sealed class WordSleep
{
    // So many milliseconds are a day; the largest number would mean for ever.
    private const double MostMilliseconds = 86_400_000;

    private static readonly string OwnName = $@"Local\BlitQueue-{Environment.ProcessId}";

    [ThreadStatic]
    private static WordSleep? OfThread;

    private readonly ExpectedWord[] _words = new ExpectedWord[Kernel32.MostHandles];
    private readonly WindowsView?[] _views = new WindowsView?[Kernel32.MostHandles];
    private readonly SafeWaitHandle?[] _events = new SafeWaitHandle?[Kernel32.MostHandles];

    // Pinned for good, because a thread sleeps most of its life.
    private readonly nint[] _handles = GC.AllocateArray<nint>(Kernel32.MostHandles, pinned: true);

    // Of words that this thread alone sleeps on.
    private readonly WordEvents _own = new(OwnName, rights: null);
    private int _count;

    public static WordSleep Mine => OfThread ??= new WordSleep();

    /// <summary>Wakes the thread that sleeps on a word of this process alone.</summary>
    public static void WakeOwn(nint address, int value) => new WordEvents(OwnName, rights: null).Wake(address, value);

    /// <summary>Sleeps while all words, no more than 64, have their values.</summary>
    /// <param name="words">The words.</param>
    /// <param name="views">Where those are found that are in files.</param>
    /// <param name="timeout">The longest sleep, by whole milliseconds, rounded up.</param>
    /// <returns>false if the system had no event for one of them: nothing was waited for.</returns>
    public bool TrySleep(ReadOnlySpan<ExpectedWord> words, WindowsViews views, TimeSpan timeout)
    {
        try
        {
            foreach (ExpectedWord word in words)
            {
                if (!TryTake(word, word.IsOwn ? null : views.Find(word.Address), out bool isUnchanged))
                {
                    return false;
                }
                if (!isUnchanged)
                {
                    return true;
                }
            }
            uint woken = Kernel32.WaitAny(
                _count, in _handles[0], forAll: false, (uint)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, MostMilliseconds));
            return woken == Kernel32.WaitTimedOut || (woken < _count && !IsWrong((int)woken));
        }
        finally
        {
            Release();
        }
    }

    private bool TryTake(in ExpectedWord word, WindowsView? view, out bool isUnchanged)
    {
        SafeWaitHandle? taken = null;
        isUnchanged = word.IsOwn ? TryTakeOwn(word, out taken) : view is not null && view.TryTake(word, out taken);
        if (taken is not null)
        {
            (_words[_count], _views[_count], _events[_count], _handles[_count]) = (word, view, taken, taken.DangerousGetHandle());
            _count++;
        }
        // The word of a view that has ended will not change: the caller finds out, and does not come again at once.
        return isUnchanged ? taken is not null : word.IsOwn || view is not null;
    }

    private bool TryTakeOwn(in ExpectedWord word, out SafeWaitHandle? taken)
    {
        taken = _own.Take(word.Address, word.Value);
        return Marshal.ReadInt32(word.Address) == word.Value;
    }

    // Whether an event is set although its word has not changed: by another user, or left from a file that had the same identity. As long
    // as that lasts, there is nothing to sleep on.
    private bool IsWrong(int index)
    {
        ExpectedWord word = _words[index];
        if (_views[index] is { } view)
        {
            return view.TryForget(word);
        }
        bool isWrong = Marshal.ReadInt32(word.Address) == word.Value;
        if (isWrong)
        {
            _own.Forget(word.Address, word.Value);
        }
        return isWrong;
    }

    private void Release()
    {
        for (; _count > 0; _count--)
        {
            _events[_count - 1]!.DangerousRelease();
            (_events[_count - 1], _views[_count - 1]) = (null, null);
        }
    }
}
