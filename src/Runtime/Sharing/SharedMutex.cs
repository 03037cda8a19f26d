using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// A lock that one thread of all processes has at a time. If its holder dies, the next one gets it at once and is told
/// (<see cref="SharedLockScope.WasAbandoned"/>); a holder that is stopped keeps it, and an exception tells waiting callers which process
/// that is.
/// </summary>
/// <remarks>
/// It is not recursive: a thread that takes it twice through one handle gets a <see cref="LockRecursionException"/>. A thread that takes it
/// through two handles waits for itself, so open a mutex once in a process. Waiting threads spin for some microseconds, then sleep in the
/// kernel; they do not get the mutex in the order in which they came.
/// </remarks>
/// <example>
/// <code>
/// using var mutex = SharedMutex.Open("report");
/// using SharedLockScope scope = mutex.Acquire(cancellationToken);
/// if (scope.WasAbandoned)
/// {
///     StartAnew();
/// }
/// </code>
/// </example>
public sealed class SharedMutex : SharedObject
{
    private SharedMutex(SharedFile file) : base(file)
    {
    }

    /// <summary>The process that has it; null for none. It may have released it since.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public int? HolderProcessId
    {
        get
        {
            using CallGate.Call call = Gate.Enter();
            return Lock.LiveHolder;
        }
    }

    /// <summary>Joins the mutex with this name, or makes it.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="SchemaMismatchException">The name is another shared object's.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static SharedMutex Open(string name, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape, cancellationToken: cancellationToken));

    /// <summary>Joins the mutex in this file, or makes it.</summary>
    /// <param name="path">The file. Its directory exists.</param>
    /// <param name="fileMode">The rights of a new file, on Unix: read and write for each who may use it. null: the user's alone.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="ArgumentException">It has other rights.</exception>
    /// <inheritdoc cref="Open" path="/exception[position()&gt;1]"/>
    public static SharedMutex OpenFile(string path, UnixFileMode? fileMode = null, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape, fileMode, cancellationToken));

    private static SharedShape Shape => new(SharedKind.Mutex, "", 0, 0);

    /// <summary>Waits until the calling thread has the mutex.</summary>
    /// <returns>Dispose it to release the mutex.</returns>
    /// <exception cref="LockRecursionException">The calling thread has it already.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the text says which process has the mutex.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public SharedLockScope Acquire(CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Write, Limit(cancellationToken));

    /// <summary>Waits until the calling thread has the mutex, for a time at most.</summary>
    /// <param name="timeout">0 or more, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Dispose it to release the mutex.</returns>
    /// <exception cref="SharedLockTimeoutException">The time is over; it says which process has the mutex.</exception>
    /// <inheritdoc cref="Acquire(CancellationToken)" path="/exception"/>
    public SharedLockScope Acquire(TimeSpan timeout, CancellationToken cancellationToken = default) =>
        Acquire(SharedLockMode.Write, Limit(timeout, cancellationToken));

    /// <summary>Takes the mutex if no living process has it.</summary>
    /// <param name="scope">Dispose it to release the mutex.</param>
    /// <returns>false if a living process has it.</returns>
    /// <exception cref="LockRecursionException">The calling thread has it already.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public bool TryAcquire(out SharedLockScope scope) => TryAcquire(SharedLockMode.Write, out scope);
}
