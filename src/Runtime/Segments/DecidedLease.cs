namespace BlitQueue.Segments;

/// <summary>A message that a transaction consumes, as its entry says.</summary>
/// <param name="Queue">The queue's name in its store.</param>
/// <param name="QueueId">The queue's id.</param>
/// <param name="SubscriptionName">The subscription's name.</param>
/// <param name="Cell">The lease cell.</param>
/// <param name="Position">The message's position.</param>
/// <param name="Owner">The owner word in the cell when it was marked.</param>
/// <param name="Attempt">How often the message had been delivered.</param>
internal readonly record struct DecidedLease(
    string Queue, Guid QueueId, string SubscriptionName, int Cell, long Position, long Owner, int Attempt);
