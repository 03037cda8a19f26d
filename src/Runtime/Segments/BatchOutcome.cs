namespace BlitQueue.Segments;

/// <summary>What came of an attempt to append a batch.</summary>
internal enum BatchOutcome
{
    /// <summary>All of it is visible.</summary>
    Published,

    /// <summary>Nothing was enqueued: a segment must be made first.</summary>
    NeedsSegment,

    /// <summary>Nothing was enqueued: it would end beyond the capacity.</summary>
    NoRoom,
}
