using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Group commit: this process runs one sync at a time, which serves all who wait. A call that comes while a sync runs waits for its end
/// and, unless that sync covers it, for the next one, which one of the waiting calls runs for all.
/// </summary>
/// <remarks>
/// A call that may block syncs on its own thread. For asynchronous calls one extra thread syncs, which lives while somebody waits and a
/// second longer. A sync is inside the gate, so that the mappings stay, and holds nothing else: not the append lock, and no lock of this
/// class.
/// </remarks>
internal sealed class GroupCommit(LogSync log, CallGate gate)
{
    /// <summary>The name of the thread that syncs for asynchronous calls, short enough for the kernel's 15 bytes.</summary>
    public const string ThreadName = "BlitQueue sync";

    private const int IdleMilliseconds = 1000;
    private static readonly TimeSpan LongestGathering = TimeSpan.FromMicroseconds(100);

    // A monitor, because those who wait for a sync sleep on it. It guards all fields below.
    private readonly object _sync = new();
    private readonly List<PendingSync> _pending = [];
    // How many threads have come since the last sync ended, and wait.
    private int _blocked;
    // How many calls the next sync is likely to serve, if it waits a moment.
    private int _expected;
    private long _covered;
    private bool _running;
    private bool _hasThread;

    /// <summary>What it syncs, for callers that need one range or file of their own on the disk. They are inside the gate.</summary>
    public LogSync Log { get; } = log;

    /// <summary>Is told how long each sync took, and whether it has failed.</summary>
    public Action<TimeSpan, bool>? Synced { get; set; }

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

    /// <summary>Completes when everything that this thread has enqueued is on the disk. No thread of the caller's waits.</summary>
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

    // False when the position is covered; true when the caller must run the next sync.
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
        long covered = 0, began = 0;
        bool hasFailed = true;
        try
        {
            Gather();
            using CallGate.Call call = gate.Enter();
            began = Stopwatch.GetTimestamp();
            covered = Log.SyncPublished();
            hasFailed = false;
        }
        finally
        {
            End(covered);
            if (began > 0)
            {
                Synced?.Invoke(Stopwatch.GetElapsedTime(began), hasFailed);
            }
        }
    }

    // The callers that the last sync served are about to call again; without a wait the first of them would run this sync for itself alone.
    // A moment is short beside a sync, and where calls come one by one there is no wait.
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

    // The calls that a failed sync should have served run their own, which fails too.
    private void End(long covered)
    {
        List<PendingSync> over;
        lock (_sync)
        {
            Count++;
            _running = false;
            _covered = Math.Max(_covered, covered);
            over = _pending.FindAll(pending => pending.Position <= _covered);
            // The calls that it did not serve count too: otherwise two groups would form and sync alternately.
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

    // False when no call has waited for a while, so that the thread ends.
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

    // One asynchronous call. Its continuation runs on the thread pool, never on the thread that syncs.
    private sealed class PendingSync(long position) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        public long Position { get; } = position;
    }
}
