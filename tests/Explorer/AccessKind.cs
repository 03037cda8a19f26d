namespace BlitQueue.Explorer;

/// <summary>What a process does that another may see, or that depends on another.</summary>
internal enum AccessKind : byte
{
    /// <summary>Reads with acquire order.</summary>
    Load,

    /// <summary>Reads without order.</summary>
    Read,

    /// <summary>Writes with release order.</summary>
    Store,

    /// <summary>Writes without order.</summary>
    Write,

    /// <summary>Compare-exchange.</summary>
    Exchange,

    /// <summary>Adds one.</summary>
    Increment,

    /// <summary>The frequent side's fence.</summary>
    WakerFence,

    /// <summary>The rare side's fence.</summary>
    SleeperFence,

    /// <summary>A full fence of one process.</summary>
    Fence,

    /// <summary>Orders the reads before it before all that follows.</summary>
    ReadFence,

    /// <summary>Orders all that was before it before the writes that follow.</summary>
    WriteFence,

    /// <summary>Asks whether a process lives.</summary>
    Alive,

    /// <summary>Asks what the time is.</summary>
    Clock,

    /// <summary>Lets time pass before it looks again.</summary>
    Rest,

    /// <summary>Sleeps in the kernel.</summary>
    Sleep,

    /// <summary>Wakes who sleeps.</summary>
    Wake,

    /// <summary>Tells the scenario something; nobody else sees it.</summary>
    Note,

    /// <summary>Has nothing more to do in this step.</summary>
    End,
}
