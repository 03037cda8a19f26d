namespace BlitQueue.Log;

/// <summary>
/// A message that a transaction consumes, from the transaction's entry: the lease cell, and its message word once that is marked.
/// </summary>
internal readonly record struct DecidedLease(string Queue, Guid QueueId, string SubscriptionName, int Cell, long Message);
