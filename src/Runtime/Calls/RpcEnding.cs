namespace BlitQueue.Calls;

/// <summary>How a call ended without an answer: one object, so that a reader without the lock sees all of it or nothing.</summary>
/// <param name="Outcome">Why.</param>
/// <param name="Server">The owner word of the last server that had taken it; 0 if none had.</param>
/// <param name="IsServerDead">Whether that server is dead.</param>
internal sealed record RpcEnding(RpcOutcome Outcome, long Server = 0, bool IsServerDead = false);
