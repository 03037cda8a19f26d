namespace BlitQueue;

/// <summary>What a <see cref="QueueException"/> is about, for code that decides what to do; its text is for people.</summary>
public enum QueueError
{
    /// <summary>None of the others: the text says what.</summary>
    Other,

    /// <summary>There is no queue, store or lanes in the directory, or no such directory.</summary>
    NotFound,

    /// <summary>The path is something else: a file, a directory with other files, a queue where a store is expected.</summary>
    NotAQueue,

    /// <summary>The user has no rights to it.</summary>
    AccessDenied,

    /// <summary>It is on a file system that is mounted for reading only.</summary>
    ReadOnly,

    /// <summary>It is on a file system that cannot have a queue: one of the network.</summary>
    UnsupportedFileSystem,

    /// <summary>A newer version of the library has written it.</summary>
    NewerFormat,

    /// <summary>The queue is in memory, and the call asked for what only a disk can promise.</summary>
    NotOnDisk,

    /// <summary>A backup cannot be made there: something is there already, or it is where no copy may be.</summary>
    BadTarget,

    /// <summary>Another handle or process has it open, or is working on it.</summary>
    InUse,

    /// <summary>It is open as often as it may be.</summary>
    TooManyHandles,

    /// <summary>The subscription has as many open leases as it may have.</summary>
    TooManyLeases,

    /// <summary>The subscription was deleted, or has ended.</summary>
    SubscriptionGone,

    /// <summary>The queue has no subscription <c>default</c>.</summary>
    NoDefaultSubscription,

    /// <summary>No message begins at the position, or what was there is no longer on disk.</summary>
    PositionGone,

    /// <summary>The directory was deleted, moved away or replaced while it was open.</summary>
    DirectoryReplaced,

    /// <summary>What waits to be consumed leaves no room within the capacity.</summary>
    CapacityFull,

    /// <summary>The disk has no room.</summary>
    DiskFull,

    /// <summary>The disk refused to write what had to be durable.</summary>
    DiskFailed,

    /// <summary>Bytes in its files cannot be its own.</summary>
    Corrupt,

    /// <summary>The queue contains another message type.</summary>
    SchemaMismatch,

    /// <summary>Another process makes no progress, and the call needs it to.</summary>
    Stalled,

    /// <summary>A lease lasted too long, and another consumer was given its message.</summary>
    LeaseLost,

    /// <summary>The system refuses; the text has its words.</summary>
    SystemRefused,

    /// <summary>The process that had to answer a call is dead, or has stopped serving.</summary>
    PeerLost,

    /// <summary>The handler of a call failed; the text has the server's words.</summary>
    HandlerFailed,

    /// <summary>The time for a call is over.</summary>
    TimedOut,
}
