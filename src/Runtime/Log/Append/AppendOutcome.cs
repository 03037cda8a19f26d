namespace BlitQueue.Log;

/// <summary>What came of an attempt to append, or to commit a transaction. But for the first, nothing was done.</summary>
internal enum AppendOutcome
{
    /// <summary>All of it is visible, or committed.</summary>
    Published,

    /// <summary>A segment must be made first.</summary>
    NeedsSegment,

    /// <summary>The capacity leaves no room.</summary>
    NoRoom,

    /// <summary>Another holds the append lock, for longer than the call waits.</summary>
    NoAppendLock,

    /// <summary>What was in the way is over.</summary>
    Again,
}
