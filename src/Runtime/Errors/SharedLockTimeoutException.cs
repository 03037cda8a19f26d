namespace BlitQueue;

/// <summary>
/// The time to wait for a shared lock is over, and a living process has it: <see cref="QueueException.ProcessId"/> says which. A lock is
/// never taken from a living process, also if it is stopped. Nothing was changed; the call can be repeated.
/// </summary>
public sealed class SharedLockTimeoutException : QueueException
{
    /// <summary>Creates the exception with its text.</summary>
    /// <param name="message">Who has the lock.</param>
    public SharedLockTimeoutException(string message) : base(message) => Reason = QueueError.InUse;
}
