namespace BlitQueue.Log;

/// <summary>The result of an attempt to append, or to commit a transaction. Except for <see cref="Published"/>, nothing was done.</summary>
internal enum AppendOutcome
{
    /// <summary>All messages are visible, or committed.</summary>
    Published,

    /// <summary>A segment must be made first.</summary>
    NeedsSegment,

    /// <summary>The capacity leaves no room.</summary>
    NoRoom,

    /// <summary>Another appender holds the append lock for longer than the call waits.</summary>
    NoAppendLock,

    /// <summary>The obstacle is gone: the caller tries again.</summary>
    Again,
}
