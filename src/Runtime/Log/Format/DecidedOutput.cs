namespace BlitQueue.Log;

/// <summary>The messages that a transaction sends to one queue, from the transaction's entry.</summary>
/// <param name="Queue">The queue's name in its store.</param>
/// <param name="QueueId">The queue's id: another queue may have got the name.</param>
/// <param name="Position">The position of the first record.</param>
/// <param name="Header">That record's header: storing it publishes all messages.</param>
/// <param name="End">The position behind the last record.</param>
internal readonly record struct DecidedOutput(string Queue, Guid QueueId, long Position, long Header, long End);
