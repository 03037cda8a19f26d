using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>A process that has a job, and the logs of it and of its threads.</summary>
internal sealed record Worker(PeerProcess Peer, Job Job, IReadOnlyList<string> Logs)
{
    /// <summary>The exit code that SIGKILL makes.</summary>
    public const int KilledCode = 137;

    /// <summary>Its queue is open.</summary>
    public bool IsReady => Peer.Output.Length > 0;
}
