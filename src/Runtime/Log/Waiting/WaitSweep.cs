using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// One thread that polls wake words: those that are too many for the kernel's waits, and those that were not woken for some time. To read
/// ten thousand words takes a millisecond; to have the kernel wait for them would take 79 threads.
/// </summary>
/// <remarks>
/// It sleeps 150 times as long as it reads, from 10 ms to 1 s. In a process that waits for more than 254 queues, the first message after a
/// pause may wait that long. A word that was woken moves to a <see cref="WaitThread"/>.
/// </remarks>
internal sealed class WaitSweep : IWaitHome
{
    private const int SleepFactor = 150;
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(10), Longest = TimeSpan.FromSeconds(1);

    // Guarded by the lock of WaitThread, like the list; the round is the thread's own copy of the list.
    private static WaitSweep? Only;

    private readonly HashSet<AsyncWaitQueue> _queues = [];
    private readonly List<AsyncWaitQueue> _due = [];
    private readonly PinnedInt32 _more = new();
    private AsyncWaitQueue[] _round = [];
    private bool _changed;

    /// <summary>Called inside of the lock of <see cref="WaitThread"/>.</summary>
    public static void Take(AsyncWaitQueue queue)
    {
        if (Only is null)
        {
            var sweep = new WaitSweep();
            // It begins when the lock is released. If the system gives no thread, the next word asks for one again.
            new Thread(sweep.Run) { IsBackground = true, Name = WaitThread.Name }.UnsafeStart();
            Only = sweep;
        }
        // The next sweep must look at it: there is no mark for this thread yet.
        queue.IsToBeLookedAt.TrySet();
        queue.Home = Only;
        Only._queues.Add(queue);
        Only._changed = true;
    }

    public void Remove(AsyncWaitQueue queue)
    {
        _queues.Remove(queue);
        _changed = true;
        if (_queues.Count == 0)
        {
            // Wakes the thread so that it ends.
            Wake();
        }
    }

    public void Wake() => CurrentPlatform.Instance.WakeAll(_more.Address, _more.Increment());

    private void Run()
    {
        for (; ; )
        {
            int ticket = MachineMemory.Load(ref _more.Value);
            if (!TryBeginRound())
            {
                return;
            }
            long began = Stopwatch.GetTimestamp();
            Find();
            LookAtDue();
            TimeSpan sleep = Stopwatch.GetElapsedTime(began) * SleepFactor;
            CurrentPlatform.Instance.Wait(_more.Address, ticket, sleep < Shortest ? Shortest : sleep > Longest ? Longest : sleep);
        }
    }

    private bool TryBeginRound()
    {
        lock (WaitThread.Sync)
        {
            if (_queues.Count == 0)
            {
                Only = null;
                return false;
            }
            if (_changed)
            {
                (_changed, _round) = (false, [.. _queues]);
            }
            return true;
        }
    }

    private void Find()
    {
        long now = Environment.TickCount64;
        foreach (AsyncWaitQueue queue in _round)
        {
            if (queue.IsDue(now))
            {
                _due.Add(queue);
            }
        }
    }

    private void LookAtDue()
    {
        _due.RemoveAll(static queue => !queue.TryAnnounce(out _));
        AsyncWaitQueue.Fence(_due);
        long now = Environment.TickCount64;
        foreach (AsyncWaitQueue queue in _due)
        {
            queue.Look(thorough: true);
            if (queue.LastWoken >= now - 1)
            {
                WaitThread.Promote(queue);
            }
        }
        _due.Clear();
    }
}
