namespace BlitQueue.Segments;

/// <summary>What came of an attempt to commit a transaction.</summary>
internal enum CommitOutcome
{
    /// <summary>It is committed.</summary>
    Committed,

    /// <summary>Nothing was done: a queue needs another segment first.</summary>
    NeedsSegment,

    /// <summary>Nothing was done: a queue's capacity leaves no room.</summary>
    NoRoom,

    /// <summary>Nothing was done: the holder of a queue's turn does not run just now.</summary>
    Stalled,
}
