namespace BlitQueue.Explorer;

/// <summary>What processes may see of each other's writes.</summary>
internal enum MemoryMode
{
    /// <summary>Each sees at once what was written.</summary>
    Sequential,

    /// <summary>As x86: each has a queue of writes that others do not see yet.</summary>
    StoreBuffers,

    /// <summary>As Arm, and weaker: who is not told by an acquire may see any older value.</summary>
    Views,
}
