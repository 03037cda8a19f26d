namespace BlitQueue.Segments;

/// <summary>
/// One asynchronous call that waits until the log is on the disk up to a position. What follows runs on the thread pool, never on the
/// thread that syncs.
/// </summary>
internal sealed class PendingSync(long position) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public long Position { get; } = position;
}
