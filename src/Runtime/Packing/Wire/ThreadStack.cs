namespace BlitQueue;

/// <summary>Turns a stack overflow, which ends the process, into an exception.</summary>
internal static class ThreadStack
{
    /// <summary>Checks that the thread has stack left for the code of one more message.</summary>
    /// <param name="depth">How many messages are open inside each other.</param>
    /// <exception cref="InsufficientExecutionStackException">There is less than 128 KiB.</exception>
    public static void Require(int depth)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw new InsufficientExecutionStackException(
                $"{depth} messages are inside each other, and this thread's stack has less than 128 KiB left for the next. The bytes are "
                + $"not at fault: up to {MessageFormat.MaxDepth} are allowed. Call it on a thread with a larger stack (maxStackSize), or "
                + "make the frames of recursive code smaller.");
        }
    }
}
