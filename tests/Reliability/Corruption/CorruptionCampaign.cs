using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Corruption;

/// <summary>Damages golden stores in every way that disks, tools and people do, and reads them.</summary>
internal sealed class CorruptionCampaign : IWatchedCampaign
{
    private readonly ScratchDirectory _directory = new("corruption");
    private Golden[]? _stores;

    public string Name => "corruption";

    public string Claim =>
        "Files of a queue are damaged (bits, bytes, words, sectors, pages of elsewhere or of before, lengths, whole files, links, pipes), "
        + "then it is opened in this boot or after a restart, read in every way, and appended to. What comes out is right, or a typed "
        + "exception says which file it is: never a wrong message, a hang, a signal or unbounded memory.";

    public IReadOnlyList<Aim> Aims => [new("corruptions", 10_000, 100_000)];

    public void Run(CampaignRun run) => WatchedTrials.Run(run, this, "corruptions", block: 100);

    public void Try(CampaignRun run, long part)
    {
        _stores ??= GoldenStores.Make(_directory.Path);
        Random random = run.RandomOf(part);
        Golden golden = _stores[random.Next(_stores.Length)];
        new Trial(run, golden, Path.Combine(_directory.Path, $"{part}"), part, random).Run();
    }
}
