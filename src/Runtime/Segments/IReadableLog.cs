namespace BlitQueue.Segments;

/// <summary>What somebody has to know of a log who reads it and holds nothing back: where its files are, how far it reaches, and what is gone.</summary>
internal interface IReadableLog
{
    /// <summary>The queue's directory.</summary>
    string Directory { get; }

    QueueMeta Meta { get; }

    SegmentTable Table { get; }

    /// <summary>The first position that is still on disk.</summary>
    long FirstKept { get; }

    /// <summary>Where the log ends; null where nothing says so but the log itself.</summary>
    long? Tail { get; }

    /// <summary>Whether what was just read at a position had not been given up before it was read.</summary>
    bool WasKept(long position);
}
