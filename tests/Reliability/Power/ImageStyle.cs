namespace BlitQueue.Reliability.Power;

/// <summary>How much of what was not synced is on the disk.</summary>
internal enum ImageStyle
{
    /// <summary>Nothing.</summary>
    NothingMore,

    /// <summary>All of it.</summary>
    Everything,

    /// <summary>One page or name, or two.</summary>
    AlmostNothing,

    /// <summary>All but one page or name, or two.</summary>
    AlmostEverything,

    /// <summary>Each page and name by chance.</summary>
    AnyPart,
}
