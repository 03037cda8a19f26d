using BlitQueue.Reliability.Kills;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Mixed;

/// <summary>Everything that a queue can be asked for, all at once.</summary>
internal sealed class MixedCampaign : ICampaign
{
    private const int Spares = 4;

    public string Name => "mixed";

    public string Claim =>
        "Everything at once, on several threads of each handle, in one process with several handles, in few and in many: single messages, "
        + "batches over segments, large messages, cancelled calls; consumers in one step and in batches; leases with and without time-outs "
        + "that are committed, given back, delayed, set aside, or held about as long as their time-out; seeks and purges; subscriptions "
        + "that are deleted under their consumers and made anew; cursors, peeks and GetStatus; messages whose setters, callbacks and "
        + "packers throw; segments of 64 KiB, with and without a capacity and each FullMode. From the logs that the workers wrote: every "
        + "message has exactly one end (but where a seek, a purge, or a drop that was counted explains another), no lease was taken before "
        + "its time, no cursor skipped anything, and every exception is one that the run's own actions explain.";

    public IReadOnlyList<Aim> Aims { get; } = [new Aim("parts", MixedPart.Variations, 50 * MixedPart.Variations),
        new Aim("deliveries", 20_000, 2_000_000)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part =>
        {
            try
            {
                new MixedPart(run, part, pool).Try();
            }
            finally
            {
                run.Count("parts");
            }
        });
    }
}
