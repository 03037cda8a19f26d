namespace BlitQueue.Bench.Peers;

/// <summary>What another process is to do with its end of a transport.</summary>
internal enum PeerWork
{
    /// <summary>Receive until the end.</summary>
    Receive,

    /// <summary>Answer each message until the end.</summary>
    Answer,

    /// <summary>Take each message's latency until the end.</summary>
    Clock,

    /// <summary>Send, when told to go.</summary>
    Send,

    /// <summary>Take one message, then say how much memory this process has.</summary>
    Weigh,
}
