namespace BlitQueue.Segments;

/// <summary>
/// One asynchronous call that waits. Its task ends when the call should try again; what it then finds may be another's already. What
/// follows runs on the thread pool, never on the thread that ends the wait.
/// </summary>
/// <param name="look">Whether trying again may succeed; the argument is true when rare causes are to be looked at too.</param>
internal sealed class PendingWait(Func<bool, bool> look) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Whether there is something to try again for. An exception is: the call meets it too, and throws it.</summary>
    public bool IsOver(bool thorough)
    {
        try
        {
            return look(thorough);
        }
        catch (Exception)
        {
            return true;
        }
    }
}
