using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Checks twice a second whether the path of an open queue still leads to its directory, and denies appends and waits while it does not:
/// no consumer would find those messages, and no message would end those waits. One thread of the process serves all open queues.
/// </summary>
/// <remarks>
/// A queue into which nothing was enqueued since the last look, and for which no call waits, is not looked at, so idle queues cost a few
/// loads each. Of the queues for which calls wait, as many are looked at each time, in turn, as take a hundredth of a processor: a
/// thousand on Linux, and fifty on Windows, which opens a file to tell what its path leads to. A timer would wake the thread pool twice a
/// second, whose threads look for more work for thousands of instructions before they sleep: with 500 processes that have a queue open,
/// those took half of two processors.
/// </remarks>
internal sealed class DirectoryWatch : IDisposable
{
    /// <summary>The time between two looks.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    // Bytes. A look makes a few calls of the system.
    private const int StackSize = 256 << 10;

    private static readonly Lock Guard = new();
    private static readonly List<DirectoryWatch> Watches = [];

    // Whether the thread runs; it ends after the last queue was closed.
    private static bool IsRunning;

    private readonly QueueStore _store;
    private readonly SafeFileHandle _locks;
    private long _seen;

    // Waits with a thread that have begun, and those that are over.
    private long _begun, _over;
    private volatile Func<QueueException>? _lost;

    /// <param name="store">The open queue. While it is being opened its directory is there.</param>
    /// <param name="locks">Its open lock file.</param>
    public DirectoryWatch(QueueStore store, SafeFileHandle locks)
    {
        (_store, _locks) = (store, locks);
        _seen = MachineMemory.Load(ref store.Control.Tail);
        lock (Guard)
        {
            if (!IsRunning)
            {
                // Throws where the system has no more threads.
                new Thread(Run, StackSize) { IsBackground = true, Name = "BlitQueue watch" }.UnsafeStart();
                IsRunning = true;
            }
            Watches.Add(this);
        }
    }

    /// <summary>
    /// Raised when the directory is gone, with the exception that appends and waits are to throw; and when it is back, with null.
    /// </summary>
    public event Action<Func<QueueException>?>? Changed;

    /// <summary>A thread begins to wait for other handles of the queue; a caller that goes on waiting says so again each time.</summary>
    /// <exception cref="QueueException">The directory is gone.</exception>
    public void BeginWait()
    {
        if (_lost is { } lost)
        {
            throw lost();
        }
        MachineMemory.Increment(ref _begun);
    }

    /// <summary>As <see cref="BeginWait"/>, for one wait; its end is that of the scope.</summary>
    /// <inheritdoc cref="BeginWait" path="/exception"/>
    public WaitScope Wait()
    {
        BeginWait();
        return new WaitScope(this);
    }

    /// <summary>The wait that <see cref="BeginWait"/> began is over.</summary>
    public void EndWait() => MachineMemory.Increment(ref _over);

    /// <summary>A wait that has begun.</summary>
    internal readonly ref struct WaitScope(DirectoryWatch watch)
    {
        /// <summary>Ends it.</summary>
        public void Dispose() => watch.EndWait();
    }

    private bool IsWaitedFor => MachineMemory.Load(ref _begun) != MachineMemory.Load(ref _over)
        || _store.DataWaits.IsWaitedOn() || _store.RoomWaits.IsWaitedOn();

    // While the thread sleeps, it has no queue: one that was closed can be collected.
    private static void Run()
    {
        int first = 0;
        do
        {
            Thread.Sleep(Pause);
        }
        while (TryLookAtAll(ref first));
    }

    // Begins with a queue, and tells with which one to begin next time. Returns false at the end of the thread.
    private static bool TryLookAtAll(ref int first)
    {
        DirectoryWatch[] all = AllOrEnd();
        int waitedFor = 0, most = CurrentPlatform.Instance.LooksInFiveMilliseconds, next = first;
        for (int i = 0; i < all.Length; i++)
        {
            int index = (first + i) % all.Length;
            if (all[index].Look(forWaits: waitedFor < most))
            {
                waitedFor++;
                next = index + 1;
            }
        }
        first = next;
        return all.Length > 0;
    }

    private static DirectoryWatch[] AllOrEnd()
    {
        lock (Guard)
        {
            IsRunning = Watches.Count > 0;
            return [.. Watches];
        }
    }

    // Returns whether it looked for the sake of calls that wait. false where it looked because something was enqueued.
    private bool Look(bool forWaits)
    {
        try
        {
            using CallGate.Call call = _store.Gate.Enter();
            long tail = MachineMemory.Load(ref _store.Control.Tail);
            bool isChanged = tail != _seen || _lost is not null;
            if (!(isChanged || (forWaits && IsWaitedFor)) || MachineMemory.Load(ref _store.Control.Failed) != 0)
            {
                return false;
            }
            _seen = tail;
            bool isAway = IsAway();
            if (isAway != (_lost is not null))
            {
                _lost = isAway ? _store.Maintenance.DirectoryLost : null;
                Changed?.Invoke(_lost);
            }
            return !isChanged;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // The system does not tell, so nothing is known.
            return false;
        }
    }

    // If only one of the two files is another one, somebody deleted that file: the next opening handles it.
    private bool IsAway() => !OpeningLock.HasName(_locks, _store.Files)
        && !(_store.Files.Exists(StoreFormat.ControlName)
            && _store.Control.MayBeOriginal(_store.Files.PathOf(StoreFormat.ControlName)));

    public void Dispose()
    {
        lock (Guard)
        {
            Watches.Remove(this);
        }
    }
}
