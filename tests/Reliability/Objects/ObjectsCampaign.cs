using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Objects;

/// <summary>Shared objects and channels are opened where that cannot succeed, by very many, and by makers that are killed.</summary>
internal sealed class ObjectsCampaign : ICampaign
{
    /// <summary>The name on the command line of the process that does it, which has mounts of its own.</summary>
    public const string Site = "objects-site";

    private const int ShortTurns = 50, LongTurns = 1000;

    public string Name => "objects";

    public string Claim =>
        "Shared arrays, values, buffers, locks, and both sides of channels of calls are opened as something else, with another type or "
        + "size, by another user, on a file system with every number of free pages, by many processes one after the other, and by makers "
        + "that are killed at each step. An opening succeeds, or ends by an exception that says why; what was there is as it was, byte by "
        + "byte, and nothing is left behind.";

    public IReadOnlyList<Aim> Aims { get; } =
    [
        new("processes in turn", ShortTurns, LongTurns), new("makers killed", 22, 22), new("refused: another type or size", 9, 9),
        new("refused: another user", 7, 7), new("refused: no memory", 100, 100),
    ];

    public void Run(CampaignRun run)
    {
        if (MountSpace.Hindrance is { } hindrance)
        {
            run.Hinder(hindrance);
            return;
        }
        int turns = run.IsLong ? LongTurns : ShortTurns;
        ReportingWorker.RunAll(
            run, TimeSpan.FromSeconds(90),
            [SelfProcess.Wrapped(MountSpace.Wrapper, Site, turns.ToString(System.Globalization.CultureInfo.InvariantCulture))],
            toTheirEnd: true);
    }
}
