using BlitQueue.Log;

namespace BlitQueue;

/// <summary>How a queue stood at one moment, as <see cref="MappedQueue{T}.GetStatus"/> found it without a lock.</summary>
/// <example>
/// <code>
/// QueueStatus status = orders.GetStatus();
/// Console.WriteLine(status);                         // as a table
/// long behind = status.Subscriptions.Max(one =&gt; one.Lag);
/// </code>
/// </example>
public sealed record QueueStatus
{
    /// <summary>The queue's directory, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>Messages that some subscription has not committed.</summary>
    public required long MessageCount { get; init; }

    /// <summary>
    /// Bytes of log from the oldest of them to the newest, headers and padding included: what <see cref="Capacity"/> limits.
    /// </summary>
    public required long Bytes { get; init; }

    /// <summary>The queue's limit in bytes (<see cref="QueueOptions.Capacity"/>); null for none.</summary>
    public required long? Capacity { get; init; }

    /// <summary>
    /// The subscription that holds the oldest message: what producers wait for where there is no room. null where nothing waits.
    /// </summary>
    public required RoomHolder? HeldBy { get; init; }

    /// <summary>The oldest message that some subscription has not committed; <see cref="Next"/> where all are.</summary>
    public required QueuePosition First { get; init; }

    /// <summary>Where the next message goes.</summary>
    public required QueuePosition Next { get; init; }

    /// <summary>How often an append lock was taken over from a process that had died.</summary>
    public required long Repairs { get; init; }

    /// <summary>
    /// What the last opening after a restart or damage, or the last <see cref="MappedQueue.Repair"/>, found and did, for as long as its
    /// directory <c>damaged-&lt;time&gt;</c> is there; null where there is none.
    /// </summary>
    public required RecoveryReport? Recovered { get; init; }

    /// <summary>
    /// How many subscriptions were removed because no process had consumed them for <see cref="SubscriptionOptions.ExpiresAfter"/>.
    /// </summary>
    public required long ExpiredSubscriptions { get; init; }

    /// <summary>
    /// Whether the disk has refused a sync, so that no process can enqueue any more: <see cref="QueueFailedException"/> says what to do.
    /// </summary>
    public bool IsFailed { get; init; }

    /// <summary>By name.</summary>
    public required IReadOnlyList<SubscriptionStatus> Subscriptions { get; init; }

    /// <summary>The same for people: a line for the queue, a table with a line for each subscription.</summary>
    public override string ToString()
    {
        var table = new TextTable(
            "subscription", "lag", "leased", "dead letters", "dropped", "expired", "oldest", "consumers", "bytes");
        foreach (SubscriptionStatus one in Subscriptions)
        {
            table.Add(
                one.Name, one.Lag, one.InFlight, one.DeadLetters, one.Dropped, one.Expired, one.OldestAge, one.Consumers, one.Bytes);
        }
        string[] lines =
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Path}: {MessageCount:N0} messages wait, {Bytes:N0} bytes{(Capacity is { } most ? $" of {most:N0}" : "")}, from position "
                    + $"{First} to {Next}"),
            .. table.IsEmpty ? (string[])[] : [table.ToString()],
            .. HeldBy is null ? (string[])[] : [HeldBy.ToString()],
            .. Recovered is null ? (string[])[] : [Recovered.ToString()],
        ];
        return string.Join('\n', lines);
    }
}
