namespace BlitQueue.Segments;

/// <summary>A message that a transaction consumes, as its entry says.</summary>
/// <param name="Queue">The queue's name in its store.</param>
/// <param name="QueueId">The queue's id.</param>
/// <param name="SubscriptionName">The subscription's name.</param>
/// <param name="Cell">The lease cell.</param>
/// <param name="Message">The cell's message word, once it is marked for the transaction.</param>
internal readonly record struct DecidedLease(string Queue, Guid QueueId, string SubscriptionName, int Cell, long Message);
