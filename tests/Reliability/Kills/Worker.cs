using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>A process that has a job.</summary>
internal sealed record Worker(PeerProcess Peer, Job Job, string Log)
{
    /// <summary>The exit code that SIGKILL makes.</summary>
    public const int KilledCode = 137;

    /// <summary>Its queue is open.</summary>
    public bool IsReady => Peer.Output.Length > 0;
}
