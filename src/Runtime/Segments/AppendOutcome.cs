namespace BlitQueue.Segments;

/// <summary>What came of an attempt to append.</summary>
internal enum AppendOutcome
{
    /// <summary>All of it is visible.</summary>
    Published,

    /// <summary>Nothing was enqueued: a segment must be made first.</summary>
    NeedsSegment,

    /// <summary>Nothing was enqueued: the capacity leaves no room.</summary>
    NoRoom,

    /// <summary>Nothing was enqueued: another has the turn, for longer than the call waits.</summary>
    NoTurn,
}
