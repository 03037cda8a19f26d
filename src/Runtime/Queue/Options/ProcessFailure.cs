namespace BlitQueue;

/// <summary>A message that was not handled, as <see cref="ProcessOptions.Failed"/> is told of it.</summary>
/// <param name="Position">Where the message stands in the queue.</param>
/// <param name="Attempt">How often it was delivered, this time included.</param>
/// <param name="Exception">What the handler, or the end of the lease, threw.</param>
/// <param name="Outcome">Where the message went.</param>
public readonly record struct ProcessFailure(QueuePosition Position, int Attempt, Exception Exception, ProcessOutcome Outcome);
