namespace BlitQueue.RabbitMq;

/// <summary>How a forwarder or a receiver stands: for health checks, logs and people.</summary>
public sealed record BridgeState
{
    /// <summary>Whether it has a connection to the broker, and has found there what it needs.</summary>
    public required bool Connected { get; init; }

    /// <summary>What stands in the way now; <see cref="BridgeProblem.None"/> where messages flow, or would.</summary>
    public required BridgeProblem Problem { get; init; }

    /// <summary>Since when there has been one without a pause, whichever, UTC; null where there is none.</summary>
    public required DateTime? ProblemSince { get; init; }

    /// <summary>The last problem there was, over or not.</summary>
    public required BridgeProblem LastProblem { get; init; }

    /// <summary>What was wrong and what to do, in words; null if nothing ever was.</summary>
    public required string? LastError { get; init; }

    /// <summary>When the last problem was met, UTC; null if there was none.</summary>
    public required DateTime? LastErrorAt { get; init; }

    /// <summary>
    /// A forwarder's messages that the broker has not confirmed, a receiver's that came early and wait for those before them.
    /// </summary>
    public required int Window { get; init; }

    /// <summary>A forwarder's messages that wait in the local queue, those in the window included; 0 for a receiver.</summary>
    public required long Lag { get; init; }

    /// <summary>
    /// Messages that this object has forwarded and consumed, or received and written. They are counted just behind the commit: for a moment
    /// <see cref="Lag"/>, which the queue tells, is ahead of them.
    /// </summary>
    public required long Messages { get; init; }

    /// <summary>
    /// Publishes that were done again after a nack, a return or a lost connection; for a receiver, messages that it had already, and
    /// dropped.
    /// </summary>
    public required long Duplicates { get; init; }

    /// <summary>
    /// Messages that were set aside: dead letters of the forwarder's subscription, or entries of the receiver's refused queue.
    /// </summary>
    public required long SetAside { get; init; }

    /// <summary>Connections to the broker that were opened.</summary>
    public required long Connections { get; init; }
}
