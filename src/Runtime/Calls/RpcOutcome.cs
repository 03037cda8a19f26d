namespace BlitQueue.Calls;

/// <summary>How a call ended without an answer.</summary>
internal enum RpcOutcome
{
    /// <summary>It has not.</summary>
    None,

    /// <summary>There is no server, and no server had taken it.</summary>
    NotTaken,

    /// <summary>Its server is dead.</summary>
    Lost,

    /// <summary>Its deadline is over.</summary>
    TimedOut,

    /// <summary>Its token was cancelled.</summary>
    Cancelled,

    /// <summary>The caller does not want the rest of a stream.</summary>
    Left,

    /// <summary>The client was disposed.</summary>
    Disposed,

    /// <summary>The client has no memory for a long reply.</summary>
    NoMemory,

    /// <summary>The server's words cannot be those of a reply.</summary>
    Corrupt,
}
