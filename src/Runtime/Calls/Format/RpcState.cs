namespace BlitQueue.Calls;

/// <summary>What has become of a call. The numbers are in files.</summary>
internal enum RpcState
{
    /// <summary>There is no call.</summary>
    Free = 0,

    /// <summary>The request is complete, or its beginning is; any server may take it.</summary>
    Queued = 1,

    /// <summary>A server has it.</summary>
    Taken = 2,

    /// <summary>The reply is complete.</summary>
    Replied = 3,

    /// <summary>The server says why there is no reply.</summary>
    Faulted = 4,

    /// <summary>The client has given the call up; the server still has its memory.</summary>
    Abandoned = 5,

    /// <summary>The server has let go of a call that was given up.</summary>
    Over = 6,

    /// <summary>The call's time was over when a server took it: no handler has seen the request.</summary>
    Late = 7,

    /// <summary>
    /// The server has ended the call without an answer, or without the rest of it: the time is over, or it stops. What is in the bytes of
    /// the reply is as it was.
    /// </summary>
    Dropped = 8,
}
