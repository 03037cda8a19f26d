namespace BlitQueue;

/// <summary>
/// What has happened to a message when its enqueue returns. At every level it is visible to all processes then, and the death of processes
/// loses nothing; the levels differ in what a power loss, or a crash of the operating system, may take.
/// </summary>
public enum Durability
{
    /// <summary>
    /// It is in the operating system's memory: a power loss may take the newest messages, never torn, never out of order.
    /// </summary>
    PageCache,

    /// <summary>As <see cref="PageCache"/>, and it will be on the disk <see cref="QueueOptions.FlushInterval"/> later.</summary>
    Interval,

    /// <summary>It is on the disk. One sync serves all who wait for it, so many producers together are far faster than one alone.</summary>
    Commit,
}
