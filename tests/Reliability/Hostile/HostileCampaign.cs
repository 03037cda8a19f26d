using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Hostile;

/// <summary>Has a peer write anything at any time into the mapped files of a queue that is at work.</summary>
internal sealed class HostileCampaign : IWatchedCampaign
{
    private readonly ScratchDirectory _directory = new("hostile");

    public string Name => "hostile";

    public string Claim =>
        "While a queue is opened, appended to, consumed and looked at, another thread with a mapping of its own writes random, extreme and "
        + "slightly wrong words into its control file, subscriptions and segments. The victim may refuse or read nonsense; it never dies "
        + "of it, hangs, reads outside of its mappings or takes memory without bound.";

    public IReadOnlyList<Aim> Aims => [new("attacks", 400, 20_000)];

    public void Run(CampaignRun run) => WatchedTrials.Run(run, this, "attacks", block: 20);

    public void Try(CampaignRun run, long part)
    {
        string path = Path.Combine(_directory.Path, $"{part}");
        Random random = run.RandomOf(part);
        using (var victim = new Victim(path, random.Next(4) != 0))
        {
            using var attacker = new Attacker(path, random.Next());
            victim.Work(TimeSpan.FromMilliseconds(20), random);
            run.Count("words written", attacker.Stop());
        }
        run.Count("calls that were refused", Victim.TakeRefused());
        run.Count("calls that went on", Victim.TakeDone());
        Directory.Delete(path, recursive: true);
    }
}
