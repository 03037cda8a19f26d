namespace BlitQueue.Log;

/// <summary>What a transaction sends to one queue, as its entry says.</summary>
/// <param name="Queue">The queue's name in its store.</param>
/// <param name="QueueId">The queue's id: another queue may have come to have the name.</param>
/// <param name="Position">Where the first record stands.</param>
/// <param name="Header">That record's header: storing it publishes all.</param>
/// <param name="End">The position behind it.</param>
internal readonly record struct DecidedOutput(string Queue, Guid QueueId, long Position, long Header, long End);
