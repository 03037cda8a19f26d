namespace BlitQueue;

/// <summary>What a handle notes beside each message that it enqueues.</summary>
[Flags]
public enum MessageStamps
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>When it was enqueued: <see cref="MessageProperties.EnqueuedAt"/>. 16 bytes.</summary>
    Time = 1,

    /// <summary>
    /// The process that enqueued it, where the message's properties name no producer: <see cref="MessageProperties.Producer"/> is then the
    /// program's name, a slash and the process's id.
    /// </summary>
    Producer = 2,
}
