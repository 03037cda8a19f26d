namespace BlitQueue.Calls;

/// <summary>How a call ended without an answer.</summary>
internal enum RpcOutcome
{
    /// <summary>Its server is dead, or there is none. The ending's server says whether one had taken the call; this does not.</summary>
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
