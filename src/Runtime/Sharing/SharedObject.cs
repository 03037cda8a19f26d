using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// Memory that several processes share, opened by a name or by the path of a file: a <see cref="SharedArray{T}"/>, a
/// <see cref="SharedValue{T}"/>, a <see cref="SharedBuffer"/>, or a lock. The first process to open it makes it, filled with zeros; it
/// stays until it is deleted, or until the machine stops if it is in memory.
/// </summary>
/// <remarks>
/// An object with a name is a file in <c>/dev/shm/blitqueue-&lt;user id&gt;/.shared</c> on Linux, and below the temporary directory
/// elsewhere; it is the user's alone. Names have 1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, and do not begin with a dot.
/// All members may be used from any thread. If the system says that a process is dead, others get its locks; a process that is stopped,
/// suspended or in a debugger keeps them.
/// </remarks>
/// <example>
/// <code>
/// foreach (string name in SharedObject.List()) Console.WriteLine(name);
/// SharedObject.Delete("prices");
/// </code>
/// </example>
public abstract class SharedObject : IDisposable
{
    private readonly SharedFile _file;
    private readonly bool _givesReferences;

    private protected SharedObject(SharedFile file, bool givesReferences = false)
    {
        (_file, _givesReferences) = (file, givesReferences);
        Gate = new CallGate(Release, () => Disposed.Of(GetType().Name.Split('`')[0], file.Path + ": the shared object"));
        Lock = new OwnerLock<MachineMemory>(file.Control, file.Self, Gate, file.Path);
    }

    /// <summary>The file that processes share, an absolute path.</summary>
    public string Path => _file.Path;

    /// <summary>Which threads are inside of a call.</summary>
    private protected CallGate Gate { get; }

    /// <summary>The mutex, or the lock of those who write.</summary>
    private protected OwnerLock<MachineMemory> Lock { get; }

    private protected SharedFile File => _file;

    /// <summary>Whether there is a shared object with this name.</summary>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="QueueException">The system refuses to say.</exception>
    public static bool Exists(string name)
    {
        string path = SharedName.PathOf(name);
        try
        {
            return CurrentPlatform.Instance.IsFile(path);
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            throw SharedRefusal.Of(path, exception);
        }
    }

    /// <summary>Deletes the shared object with this name, which no process has open.</summary>
    /// <param name="name">The object's name.</param>
    /// <param name="cancellationToken">Ends the wait for a handle of this process that is being disposed.</param>
    /// <returns>false if there is none.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="QueueException">
    /// A process has it open (<see cref="QueueError.InUse"/>, with its <see cref="QueueException.ProcessId"/>), or the system refuses.
    /// </exception>
    public static bool Delete(string name, CancellationToken cancellationToken = default) =>
        SharedFile.Delete(SharedName.PathOf(name), cancellationToken);

    /// <summary>Deletes the shared object in this file, which no process has open.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Ends the wait for a handle of this process that is being disposed.</param>
    /// <returns>false if there is none.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    /// <exception cref="QueueException">
    /// A process has it open (<see cref="QueueError.InUse"/>, with its <see cref="QueueException.ProcessId"/>), the file is no shared
    /// object, or the system refuses.
    /// </exception>
    public static bool DeleteFile(string path, CancellationToken cancellationToken = default) =>
        SharedFile.Delete(SharedName.FileAt(path), cancellationToken);

    /// <summary>The names of this user's shared objects, in alphabetical order.</summary>
    /// <exception cref="QueueException">The system refuses.</exception>
    public static IReadOnlyList<string> List() => SharedName.All();

    /// <summary>
    /// Gives back descriptor and mapping before it returns, or when the last running call ends; the shared object stays. A lock that a
    /// thread still has counts as abandoned, as if the process had died.
    /// </summary>
    public void Dispose()
    {
        End();
        Gate.Close();
        GC.SuppressFinalize(this);
    }

    // What has to end before the gate is closed.
    private protected virtual void End()
    {
    }

    private void Release()
    {
        if (_givesReferences)
        {
            _file.Detach();
        }
        else
        {
            _file.Dispose();
        }
        Released();
    }

    // Called when no call is running, and none can begin.
    private protected virtual void Released()
    {
    }

    /// <summary>Ends what a scope began.</summary>
    internal void Leave(SharedLockMode mode)
    {
        // Disposing the handle released the lock.
        if (Gate.IsClosed)
        {
            return;
        }
        try
        {
            using CallGate.Call call = Gate.Enter();
            LeaveLock(mode);
        }
        catch (ObjectDisposedException)
        {
        }
    }

    // If a scope is disposed twice, the lock is free by then or belongs to another thread.
    private protected virtual void LeaveLock(SharedLockMode mode)
    {
        if (Lock.IsMine)
        {
            Lock.Release(isSound: true);
        }
    }

    /// <summary>Takes the lock for the calling thread.</summary>
    /// <param name="mode">For what.</param>
    /// <param name="limit">For how long it waits.</param>
    /// <param name="holder">Where the limit is over: the process that has the lock; null: the one that has <see cref="Lock"/>.</param>
    /// <returns>false if the limit is over.</returns>
    private protected virtual bool TryEnterLock(SharedLockMode mode, scoped in WaitLimit limit, out int? holder)
    {
        holder = null;
        return Lock.TryAcquire(limit);
    }

    private protected SharedLockScope Acquire(SharedLockMode mode, scoped in WaitLimit limit)
    {
        using CallGate.Call call = Gate.Enter();
        return TryEnterLock(mode, limit, out int? holder) ? ScopeOf(mode) : throw Lock.TimedOut(holder ?? Lock.LiveHolder);
    }

    private protected bool TryAcquire(SharedLockMode mode, out SharedLockScope scope)
    {
        using CallGate.Call call = Gate.Enter();
        bool isTaken = TryEnterLock(mode, WaitLimit.None, out _);
        scope = isTaken ? ScopeOf(mode) : default;
        return isTaken;
    }

    // Of a lock that the calling thread has from now on.
    private SharedLockScope ScopeOf(SharedLockMode mode) => new(this, mode, Lock.Abandoned);

    private protected static WaitLimit Limit(TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return Limit(cancellationToken);
        }
        ArgumentOutOfRangeException.ThrowIfLessThan(timeout, TimeSpan.Zero);
        return WaitLimit.AtMost(timeout) with { Token = cancellationToken };
    }

    private protected static WaitLimit Limit(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new WaitLimit(TimeSpan.MaxValue, Token: cancellationToken);
    }
}
