namespace BlitQueue;

/// <summary>
/// What <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/> does when <see cref="QueueOptions.Capacity"/> leaves no room.
/// </summary>
public enum FullMode
{
    /// <summary>Waits until consumers have made room.</summary>
    Wait,

    /// <summary>Throws <see cref="QueueFullException"/>.</summary>
    Fail,

    /// <summary>
    /// Drops the oldest messages that no consumer has taken, for every subscription that has not passed them;
    /// <see cref="Subscription{T}.Dropped"/> counts them. Waits where leased messages alone fill the capacity.
    /// </summary>
    DropOldest,
}
