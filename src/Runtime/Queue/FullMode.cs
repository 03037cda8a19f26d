namespace BlitQueue;

/// <summary>What <see cref="MappedQueue{T}.Enqueue"/> does when <see cref="QueueOptions.Capacity"/> leaves no room.</summary>
public enum FullMode
{
    /// <summary>Waits until consumers have made room.</summary>
    Wait,

    /// <summary>Throws <see cref="QueueFullException"/>.</summary>
    Fail,
}
