namespace BlitQueue.Memory;

/// <summary>Locks between threads of this process that are waited for with a token.</summary>
internal static class LockExtensions
{
    // How late a cancelled token is noticed at most.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(20);

    /// <summary>Enters a lock; the caller exits it.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled; the lock was not entered.</exception>
    public static void Enter(this Lock sync, CancellationToken cancellationToken)
    {
        do
        {
            cancellationToken.ThrowIfCancellationRequested();
        }
        while (!sync.TryEnter(BetweenLooks));
    }
}
