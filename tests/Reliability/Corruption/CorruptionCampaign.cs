using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Corruption;

/// <summary>Damages golden stores in every way that disks, tools and people do, and reads them.</summary>
internal sealed class CorruptionCampaign : IWatchedCampaign
{
    private readonly string _directory = Path.Combine(
        Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), $"blitqueue-corruption-{Environment.ProcessId}");

    private Golden[]? _stores;

    public string Name => "corruption";

    public string Claim =>
        "Files of a queue are damaged (bits, bytes, words, sectors, pages of elsewhere or of before, lengths, whole files, links, pipes), then it is opened in this boot "
        + "or after a restart, read in every way, and appended to. What comes out is right, or a typed exception says which file it is: never a wrong message, a "
        + "hang, a signal or unbounded memory.";

    public IReadOnlyList<Aim> Aims => [new("corruptions", 10_000, 100_000)];

    public void Run(CampaignRun run) => WatchedTrials.Run(run, this, "corruptions", block: 100);

    public void Try(CampaignRun run, long part)
    {
        _stores ??= MakeStores();
        Random random = run.RandomOf(part);
        Golden golden = _stores[random.Next(_stores.Length)];
        new Trial(run, golden, Path.Combine(_directory, $"{part}"), part, random).Run();
    }

    private Golden[] MakeStores()
    {
        Directory.CreateDirectory(_directory);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(_directory, recursive: true);
        return GoldenStores.Make(_directory);
    }
}
