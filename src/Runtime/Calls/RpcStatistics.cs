namespace BlitQueue;

/// <summary>
/// What one handle of a client or server has counted since it was opened. <see cref="Calls"/> is the sum of all that ended, in one way or
/// another, and of those that are <see cref="InFlight"/>.
/// </summary>
public sealed record RpcStatistics
{
    /// <summary>Calls that were made, or taken.</summary>
    public long Calls { get; init; }

    /// <summary>Calls that were answered by a reply; a stream counts when it has ended.</summary>
    public long Answers { get; init; }

    /// <summary>Calls whose handler failed.</summary>
    public long Faults { get; init; }

    /// <summary>Calls whose time was over.</summary>
    public long TimedOut { get; init; }

    /// <summary>Calls that the caller gave up, or that were open when the client or server was disposed.</summary>
    public long Cancelled { get; init; }

    /// <summary>Calls that ended because the other side is dead, or has stopped serving.</summary>
    public long PeersLost { get; init; }

    /// <summary>Calls that ended in another way: the reply cannot be read, or there is no memory for it.</summary>
    public long Failed { get; init; }

    /// <summary>Calls that are open now.</summary>
    public int InFlight { get; init; }

    /// <summary>
    /// The time of calls, from the call to its answer at a client, from taking to answering at a server: half took no longer. Times are
    /// right to a quarter.
    /// </summary>
    public TimeSpan Median { get; init; }

    /// <summary>99 % took no longer.</summary>
    public TimeSpan Percentile99 { get; init; }

    /// <summary>99.9 % took no longer.</summary>
    public TimeSpan Percentile999 { get; init; }

    /// <summary>None took longer.</summary>
    public TimeSpan Longest { get; init; }
}
