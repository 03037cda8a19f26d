namespace BlitQueue;

/// <summary>
/// A lock that the calling thread has until it disposes this, once: <c>using SharedLockScope scope = mutex.Acquire();</c>. It can neither
/// leave the method nor live across an <c>await</c>, so the thread that took the lock releases it.
/// </summary>
public readonly ref struct SharedLockScope : IDisposable
{
    private readonly SharedObject? _object;
    private readonly long _abandoned;

    internal SharedLockScope(SharedObject shared, SharedLockMode mode, long abandoned)
        => (_object, Mode, _abandoned) = (shared, mode, abandoned);

    /// <summary>Read or write; none for a scope that took no lock.</summary>
    public SharedLockMode Mode { get; }

    /// <summary>
    /// Whether a process died with this lock, or disposed its handle, since the last writer released it: what it was writing may be
    /// incomplete. The next writer that disposes its scope ends this state, so a writer should put the data right before that.
    /// </summary>
    public bool WasAbandoned => _abandoned != 0;

    /// <summary>
    /// The id of the process that died with the lock; null if there is none, or if it is no longer known because another handle was opened
    /// since.
    /// </summary>
    public int? AbandonedBy => _abandoned > 1 ? (int)(_abandoned - 1) : null;

    /// <summary>Releases the lock.</summary>
    public void Dispose() => _object?.Leave(Mode);
}
