namespace BlitQueue.Log;

/// <summary>
/// Another process makes the queue at the same time, because somebody deleted or replaced the lock file: the opening begins anew and joins
/// what that one has made.
/// </summary>
internal sealed class OvertakenException(string path) : IOException($"{path}: another process has made it meanwhile.");
