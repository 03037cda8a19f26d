namespace BlitQueue.Segments;

/// <summary>What somebody has to know of a log who reads it and holds nothing back: where its files are, and what is gone.</summary>
internal interface IReadableLog
{
    /// <summary>The queue's directory.</summary>
    string Directory { get; }

    QueueMeta Meta { get; }

    SegmentTable Table { get; }

    /// <summary>The first position that is still on disk.</summary>
    long FirstKept { get; }
}
