namespace BlitQueue.Sharing;

/// <summary>What a shared file is. The numbers are in files.</summary>
internal enum SharedKind
{
    /// <summary>Elements of a type without references, and a reader/writer lock.</summary>
    Array = 1,

    /// <summary>Two copies of one value, of which one is current, and a lock of those who write.</summary>
    Value = 2,

    /// <summary>Bytes, and a reader/writer lock.</summary>
    Buffer = 3,

    /// <summary>A mutex alone.</summary>
    Mutex = 4,

    /// <summary>A reader/writer lock alone.</summary>
    ReaderWriterLock = 5,

    /// <summary>Where clients and servers of calls meet.</summary>
    Channel = 6,
}
