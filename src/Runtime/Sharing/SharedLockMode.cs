namespace BlitQueue;

/// <summary>What a <see cref="SharedLockScope"/> lets its thread do.</summary>
public enum SharedLockMode
{
    /// <summary>Nothing: no lock was taken.</summary>
    None,

    /// <summary>It shares the lock with other readers, and no process writes.</summary>
    Read,

    /// <summary>It has the lock alone.</summary>
    Write,
}
