namespace BlitQueue;

/// <summary>
/// A stretch of a queue's log. A new one begins whenever the end of the log may be another one than processes have seen: with the first
/// opening after a restart of the machine, of a copy, after a failed sync, and with a repair. Positions that were lost then may be used
/// again, and two copies use the same ones. So an epoch's <see cref="Id"/> and a position together name one message for ever, in all copies
/// of the queue.
/// </summary>
/// <param name="Id">Random; 0: from the time when the queue was made.</param>
/// <param name="Start">
/// The epoch's messages are those from here up to the next epoch's start. Of the oldest that the queue knows: 0.
/// </param>
/// <example>
/// <code>
/// QueueEpoch epoch = orders.Epochs.Last(one => one.Start &lt;= lease.Position);
/// string name = $"{orders.Id}/{epoch.Id}/{lease.Position}";    // as long as there are messages, no other one has this name
/// </code>
/// </example>
public readonly record struct QueueEpoch(long Id, QueuePosition Start);
