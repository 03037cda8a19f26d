using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// How an open queue sees the transactions of the store that it is in, however it was opened: what a dead process had committed is
/// carried out by those it left behind. Costs nothing in a queue that no store has opened yet.
/// </summary>
internal sealed class TransactionLink(QueueFiles files, QueueMeta meta, ControlFile control) : ICommittedTransactions, IDisposable
{
    // Where it could not be carried out, as where another queue's appender is stopped, it is tried again after so many milliseconds.
    private const int RetryAfter = 50;

    // A process that is at it already is not waited for.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private readonly Lock _sync = new();
    private readonly QueueLocation _location = QueueLocation.Of(files.Directory);
    private TransactionFile? _file;
    private bool _disposed;
    private SafeFileHandle? _locks;
    private long _notBefore;

    /// <summary>The store that has opened this handle; null where it was opened by itself.</summary>
    public TransactionStore? Store { get; private set; }

    /// <summary>The queue's name in its store.</summary>
    public string Name => _location.Name;

    /// <summary>Makes the queue one of a store, for all who have it open.</summary>
    public void Join(TransactionStore store, SubscriptionSet subscriptions)
    {
        Store = store;
        // A full fence: a subscription that is made meanwhile is seen here, or its maker sees the mark.
        MachineMemory.CompareExchange(ref control.InStore, 1, 0);
        subscriptions.LookAround();
    }

    public long HeaderAt(long position) => Decided()?.HeaderAt(meta.Id, position) ?? 0;

    public bool Consumes(string subscription, int cell, long message) => Decided()?.Consumes(meta.Id, subscription, cell, message) ?? false;

    /// <summary>
    /// Whether a transaction was committed and is not carried out, and nobody who lives is at it: a living one, however long its disk
    /// takes, or stopped, does it by itself. Costs those who find no message a load, as long as none is being carried out.
    /// </summary>
    public bool IsAbandoned()
    {
        if (MachineMemory.Load(ref control.InStore) == 0 || (_file is { } known && MachineMemory.Load(ref known.Decided) == 0)
            || Environment.TickCount64 < _notBefore)
        {
            return false;
        }
        if (File() is not { } file)
        {
            _notBefore = Environment.TickCount64 + RetryAfter;
            return false;
        }
        long decided = MachineMemory.Load(ref file.Decided);
        if (decided == 0)
        {
            return false;
        }
        // While a transaction stays decided, the holder of the commit lock carries it out.
        long owner = MachineMemory.Load(ref file.Control.LockOwner);
        return MachineMemory.Load(ref file.Decided) == decided
            && (owner == 0 || !Participant.IsAlive<MachineMemory>(file.Control, _locks!, owner));
    }

    /// <summary>Carries out what a dead process had committed, if there is such a transaction.</summary>
    /// <returns>true when there was, so that this queue may hold more.</returns>
    public bool TryComplete()
    {
        if (!IsAbandoned())
        {
            return false;
        }
        try
        {
            using var store = TransactionStore.Open(
                _location.Above!, files.Mode, Patience, make: false);
            return store.TryComplete();
        }
        catch (Exception exception) when (exception is QueueException or IOException or UnauthorizedAccessException)
        {
            // Another is at it. Damage elsewhere in the store is reported to the process that commits, not to one that reads here.
            _notBefore = Environment.TickCount64 + RetryAfter;
            return false;
        }
    }

    private DecidedTransaction? Decided() =>
        MachineMemory.Load(ref control.InStore) == 0 ? null : TransactionFile.DecidedFor(File(), files.Directory, meta.Id);

    private TransactionFile? File()
    {
        lock (_sync)
        {
            if (_disposed)
            {
                throw Disposed.OfQueue(files.Directory);
            }
            if (_file is null && TransactionFile.OpenAbove(files.Directory) is { } file)
            {
                _locks = new QueueFiles(_location.Above!, files.Mode).OpenOrCreate(TransactionFormat.LockName);
                _file = file;
            }
            return _file;
        }
    }

    /// <summary>Unmaps the file; no call is inside any more.</summary>
    public void Dispose()
    {
        lock (_sync)
        {
            _disposed = true;
            _file?.Dispose();
            _locks?.Dispose();
        }
    }
}
