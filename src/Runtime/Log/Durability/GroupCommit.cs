using System.Diagnostics;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Group commit: one sync at a time in this process, which serves all who wait. A call that comes while one is running waits for its end
/// and, unless it turns out to be covered, for the next, which one of those who wait runs for all.
/// </summary>
/// <remarks>
/// A call that may block syncs on its own thread. For asynchronous calls one thread does, while somebody waits and a second longer. A sync
/// holds the gate, so that the mapping stays, and nothing else: not the append lock, and no lock here.
/// </remarks>
internal sealed class GroupCommit(LogSync log, CallGate gate)
{
    /// <summary>The name of the thread that syncs for asynchronous calls, short enough for the kernel's 15 bytes.</summary>
    public const string ThreadName = "BlitQueue sync";

    private const int IdleMilliseconds = 1000;
    private static readonly TimeSpan LongestGathering = TimeSpan.FromMicroseconds(100);

    // A monitor, because those who wait for a sync sleep on it. It guards all that follows.
    private readonly object _sync = new();
    private readonly List<PendingSync> _pending = [];
    // Threads that came since the last sync ended, and wait.
    private int _blocked;
    // How many the next sync is likely to serve, if it waits a moment.
    private int _expected;
    private long _covered;
    private bool _running;
    private bool _hasThread;

    /// <summary>What it syncs, for those who need one stretch or file of their own on the disk. Used inside the gate.</summary>
    public LogSync Log { get; } = log;

    /// <summary>How many syncs this handle has run.</summary>
    public long Count { get; private set; }

    /// <summary>Returns when everything that this thread has enqueued is on the disk.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Wait()
    {
        for (long position = Published(); TryBegin(position);)
        {
            SyncOnce();
        }
    }

    /// <summary>Ends when everything that this thread has enqueued is on the disk. No thread waits for it.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public Task WaitAsync()
    {
        long position = Published();
        lock (_sync)
        {
            if (position <= _covered)
            {
                return Task.CompletedTask;
            }
            var pending = new PendingSync(position);
            _pending.Add(pending);
            if (!_hasThread)
            {
                _hasThread = true;
                new Thread(Run) { IsBackground = true, Name = ThreadName }.UnsafeStart();
            }
            else if (!_running)
            {
                Monitor.PulseAll(_sync);
            }
            return pending.Task;
        }
    }

    private long Published()
    {
        using CallGate.Call call = gate.Enter();
        return Log.Published;
    }

    // False when the position is covered; true when the next sync is the caller's to run.
    private bool TryBegin(long position)
    {
        lock (_sync)
        {
            while (position > _covered)
            {
                if (!_running)
                {
                    return _running = true;
                }
                _blocked++;
                Monitor.Wait(_sync);
            }
            return false;
        }
    }

    private void SyncOnce()
    {
        long covered = 0;
        try
        {
            Gather();
            using CallGate.Call call = gate.Enter();
            covered = Log.SyncPublished();
        }
        finally
        {
            End(covered);
        }
    }

    // The calls that the last sync served are about to come again, but for the first, which would have this one run for itself alone. A
    // moment's wait is short beside a sync, and there is none where calls come one by one.
    private void Gather()
    {
        long started = Stopwatch.GetTimestamp();
        while (!IsGathered() && Stopwatch.GetElapsedTime(started) < LongestGathering)
        {
            Thread.Yield();
        }
    }

    private bool IsGathered()
    {
        lock (_sync)
        {
            return _expected <= 1 || _pending.Count + _blocked + 1 >= _expected;
        }
    }

    // Those whom a failed sync should have served find out by their own: it fails too.
    private void End(long covered)
    {
        List<PendingSync> over;
        lock (_sync)
        {
            Count++;
            _running = false;
            _covered = Math.Max(_covered, covered);
            over = _pending.FindAll(pending => pending.Position <= _covered);
            // Those whom it did not serve are counted too: else two groups would form that take turns.
            (_expected, _blocked) = (_pending.Count + _blocked, 0);
            _pending.RemoveAll(pending => pending.Position <= _covered);
            Monitor.PulseAll(_sync);
        }
        foreach (PendingSync pending in over)
        {
            pending.TrySetResult();
        }
    }

    private void Run()
    {
        while (TryBeginForOthers())
        {
            try
            {
                SyncOnce();
            }
            catch (Exception exception)
            {
                Fail(exception);
            }
        }
    }

    // False when nobody has waited for a while, and the thread is to end.
    private bool TryBeginForOthers()
    {
        lock (_sync)
        {
            while (_pending.Count == 0 || _running)
            {
                if (!Monitor.Wait(_sync, IdleMilliseconds) && _pending.Count == 0)
                {
                    return _hasThread = false;
                }
            }
            return _running = true;
        }
    }

    private void Fail(Exception exception)
    {
        List<PendingSync> failed;
        lock (_sync)
        {
            failed = [.. _pending];
            _pending.Clear();
        }
        foreach (PendingSync pending in failed)
        {
            pending.TrySetException(exception);
        }
    }

    // One asynchronous call. What follows it runs on the thread pool, never on the thread that syncs.
    private sealed class PendingSync(long position) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long Position { get; } = position;
    }
}
