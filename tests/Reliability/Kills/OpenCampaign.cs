using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>Storms of processes that open one queue, and SIGKILL among them.</summary>
internal sealed class OpenCampaign : ICampaign
{
    private const int Spares = 16;

    public string Name => "opens";

    public string Claim =>
        "Many processes open a queue at once: one that does not exist yet, one that others have open, one whose log is to be read after a restart of the machine. "
        + "They are killed at random moments while they open it, the one that has the opening lock above all, also in the middle of the log. "
        + "Nobody is refused, nobody waits for the dead, nothing acknowledged is lost or doubled, and no file is left over.";

    public IReadOnlyList<Aim> Aims { get; } =
        [new Aim("openings", 600, 6000), new Aim("kills while opening", 150, 1500), new Aim("kills while the log was read", 10, 150)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        foreach (long part in run.Parts)
        {
            PartRun.Try(run, part, new OpenRound(run, part, pool).Try);
        }
    }
}
