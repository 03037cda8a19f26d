using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Sleeps in the kernel until something may be there to read, or a moment is over. The caller looks again.</summary>
internal static class DataSleep
{
    /// <param name="store">The queue.</param>
    /// <param name="isThere">Called once more before the sleep, inside of a call.</param>
    /// <param name="deadline">When the caller gives up.</param>
    /// <param name="cancellationToken">Ends the sleep.</param>
    /// <returns>false, without a sleep, where the deadline is over already.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">The queue's directory was deleted or replaced, so no message would come.</exception>
    public static bool Until(QueueStore store, Func<bool> isThere, in Deadline deadline, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (deadline.IsOver)
        {
            return false;
        }
        using CancellationTokenRegistration wakeOnCancel = cancellationToken.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), store);
        using (store.Watch.Wait())
        using (store.Gate.Enter())
        {
            int ticket = store.Control.Data.PrepareWait<MachineMemory>();
            if (!isThere() && !cancellationToken.IsCancellationRequested)
            {
                store.Control.Data.Wait<MachineMemory>(ticket, deadline.Left);
            }
        }
        cancellationToken.ThrowIfCancellationRequested();
        return true;
    }
}
