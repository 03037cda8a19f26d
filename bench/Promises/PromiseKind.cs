namespace BlitQueue.Bench.Promises;

/// <summary>What is promised of a figure.</summary>
internal enum PromiseKind
{
    /// <summary>It takes at most so many times as long as the row beside it.</summary>
    TimesAsLong,

    /// <summary>It does at least so many times as many in the same time as the row beside it.</summary>
    TimesAsMany,

    /// <summary>It does at least so many in a second.</summary>
    PerSecond,

    /// <summary>It is at most so much.</summary>
    AtMost,

    /// <summary>It is at most so much more than that of the row beside it.</summary>
    AtMostMore,
}
