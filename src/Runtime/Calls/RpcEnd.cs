namespace BlitQueue.Calls;

/// <summary>How a call ended, for the counts: each call that has ended has exactly one of these.</summary>
internal enum RpcEnd
{
    /// <summary>By a reply.</summary>
    Answered,

    /// <summary>Its handler failed.</summary>
    Faulted,

    /// <summary>Its time was over.</summary>
    TimedOut,

    /// <summary>Its caller gave it up, or a handle was disposed.</summary>
    Cancelled,

    /// <summary>Its server is dead, or has stopped serving.</summary>
    PeerLost,

    /// <summary>Its reply cannot be read.</summary>
    Failed,
}
