using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// A shared object with a reader/writer lock: many threads of all processes read at a time, or one writes. No call takes the lock by
/// itself: take it where several elements must fit together.
/// </summary>
/// <remarks>
/// If a writer dies, the lock is free at once, and readers and writers are told (<see cref="SharedLockScope.WasAbandoned"/>) until the next
/// writer has released it. A dead reader is forgotten. A stopped holder keeps the lock. While a writer waits, no new reader gets the lock.
/// A thread that reads may take the lock for reading again; any other second take by one thread through one handle is a
/// <see cref="LockRecursionException"/>. A thread that takes the lock through two handles waits for itself, so open an object once in a
/// process.
/// </remarks>
public abstract class SharedLockable : SharedObject
{
    private readonly ReadWriteLock<MachineMemory> _lock;

    private protected SharedLockable(SharedFile file, bool givesReferences = false) : base(file, givesReferences)
        => _lock = new ReadWriteLock<MachineMemory>(file.Control, file.Self, file.Locks, Lock);

    /// <summary>The process that writes, or that waits for readers so that it can write; null for none. It may have ended since.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public int? WriterProcessId
    {
        get
        {
            using CallGate.Call call = Gate.Enter();
            return Lock.LiveHolder;
        }
    }

    /// <summary>Waits until no process writes, and takes the lock for reading.</summary>
    /// <returns>Dispose it to release the lock.</returns>
    /// <exception cref="LockRecursionException">The calling thread writes.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the text says which process has the lock.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public SharedLockScope AcquireRead(CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Read, Limit(cancellationToken));

    /// <summary>Waits until no process writes, for a time at most, and takes the lock for reading.</summary>
    /// <param name="timeout">0 or more, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Dispose it to release the lock.</returns>
    /// <exception cref="SharedLockTimeoutException">The time is over; it says which process writes.</exception>
    /// <inheritdoc cref="AcquireRead(CancellationToken)" path="/exception"/>
    public SharedLockScope AcquireRead(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Read, Limit(timeout, cancellationToken));

    /// <summary>Takes the lock for reading if no living process writes.</summary>
    /// <param name="scope">Dispose it to release the lock.</param>
    /// <returns>false if a living process writes.</returns>
    /// <exception cref="LockRecursionException">The calling thread writes.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public bool TryAcquireRead(out SharedLockScope scope) => TryAcquire(SharedLockMode.Read, out scope);

    /// <summary>Waits until no other thread reads or writes, and takes the lock for writing.</summary>
    /// <returns>Dispose it to release the lock.</returns>
    /// <exception cref="LockRecursionException">The calling thread reads or writes already.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the text says which process has the lock.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public SharedLockScope AcquireWrite(CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Write, Limit(cancellationToken));

    /// <summary>Waits until no other thread reads or writes, for a time at most, and takes the lock for writing.</summary>
    /// <param name="timeout">0 or more, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Dispose it to release the lock.</returns>
    /// <exception cref="SharedLockTimeoutException">The time is over; it says which process has the lock.</exception>
    /// <inheritdoc cref="AcquireWrite(CancellationToken)" path="/exception"/>
    public SharedLockScope AcquireWrite(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Write, Limit(timeout, cancellationToken));

    /// <summary>Takes the lock for writing if no other living process and thread reads or writes.</summary>
    /// <param name="scope">Dispose it to release the lock.</param>
    /// <returns>false if another reads or writes.</returns>
    /// <exception cref="LockRecursionException">The calling thread reads or writes already.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public bool TryAcquireWrite(out SharedLockScope scope) => TryAcquire(SharedLockMode.Write, out scope);

    private protected override bool TryEnterLock(SharedLockMode mode, scoped in WaitLimit limit, out int? holder)
    {
        if (mode == SharedLockMode.Write)
        {
            return _lock.TryEnterWrite(limit, out holder);
        }
        holder = null;
        return _lock.TryEnterRead(limit);
    }

    private protected override void LeaveLock(SharedLockMode mode)
    {
        if (mode == SharedLockMode.Read)
        {
            _lock.ExitRead();
        }
        else
        {
            _lock.ExitWrite();
        }
    }

    private protected override void Released() => _lock.Dispose();
}
