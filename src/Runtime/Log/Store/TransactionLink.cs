using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// An open queue's link to the transactions of the store that it is in, even if the queue was opened by itself: if a process dies after it
/// has committed, any other process completes its transaction. Costs nothing in a queue that no store has opened yet.
/// </summary>
internal sealed class TransactionLink(QueueFiles files, QueueMeta meta, ControlFile control) : ICommittedTransactions, IDisposable
{
    // Milliseconds until the next attempt, if the transaction could not be completed, for example because another queue's appender is
    // stopped.
    private const int RetryAfter = 50;

    // So short because another process may be completing the transaction already.
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(10);

    private readonly Lock _sync = new();
    private readonly QueueLocation _location = QueueLocation.Of(files.Directory);
    private TransactionFile? _file;
    private bool _disposed;
    private SafeFileHandle? _locks;
    private long _notBefore;

    /// <summary>The store that has opened this handle; null if the queue was opened by itself.</summary>
    public TransactionStore? Store { get; private set; }

    /// <summary>The queue's name in its store.</summary>
    public string Name => _location.Name;

    /// <summary>Marks the queue as one of a store, for all processes that have it open.</summary>
    public void Join(TransactionStore store, SubscriptionSet subscriptions)
    {
        Store = store;
        // A full fence: either this sees a subscription that is made in the meantime, or its maker sees the mark.
        MachineMemory.CompareExchange(ref control.InStore, 1, 0);
        subscriptions.LookAround();
    }

    public long HeaderAt(long position) => Decided()?.HeaderAt(meta.Id, position) ?? 0;

    public bool Consumes(string subscription, int cell, long message) => Decided()?.Consumes(meta.Id, subscription, cell, message) ?? false;

    /// <summary>
    /// Whether a transaction is committed but not carried out, and the process that does so is dead: a living one completes it itself, even
    /// if it is stopped or its disk is slow. Costs a consumer that finds no message one load, as long as no transaction is being carried
    /// out.
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
        // As long as a transaction is decided and the slot names it, the holder of the commit lock carries it out.
        long owner = MachineMemory.Load(ref file.Control.LockOwner);
        return MachineMemory.Load(ref file.Decided) == decided
            && (owner == 0 || !Participant.IsAlive<MachineMemory>(file.Control, _locks!, owner));
    }

    /// <summary>Completes a transaction that a dead process had committed, if there is one.</summary>
    /// <returns>true if there was one, so that this queue may have more messages.</returns>
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
            // Another process is completing it. Damage elsewhere in the store is reported to a process that commits, not to one that reads
            // here.
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

    /// <summary>Unmaps the file. Called when no call is inside any more.</summary>
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
