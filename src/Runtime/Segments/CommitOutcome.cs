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

    /// <summary>Nothing was done: another has a queue's turn, and is not waited for with others' in hand.</summary>
    Stalled,

    /// <summary>Nothing was done, and what was in the way is over.</summary>
    Again,
}
