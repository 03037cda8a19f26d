using BlitQueue.Log;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>SIGKILL at each named step of the protocol.</summary>
internal sealed class StepCampaign : ICampaign
{
    private const int Spares = 6, Variations = 20;

    // Each a step, and something in which it is reached.
    private static readonly StepCase[] Cases = [.. QueueSteps.Cases(), .. StoreSteps.Cases(), .. SharedSteps.Cases(), .. CallSteps.Cases()];

    private readonly HashSet<ProtocolStep> _died = [];

    public string Name => "steps";

    public string Claim =>
        "A process is killed at each named step of the protocol, at the first or a later time it comes there, in everything that leads "
        + "there: appending, rolling, making, deleting, consuming, setting aside, syncing, failing, recovering, transactions, shared "
        + "objects, calls; the process that repairs what it left is killed too, in the middle of the repair. All others go on, and nothing "
        + "acknowledged is lost, doubled or torn.";

    public IReadOnlyList<Aim> Aims { get; } = [new Aim("steps", Cases.Length, Cases.Length * Variations),
        new Aim("steps reached", Steps.All.Length, Steps.All.Length)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part => Try(run, part, pool));
        if (run.Reached(Aims[0]))
        {
            foreach (ProtocolStep step in Steps.All.Except(_died))
            {
                run.Violate($"no process came to the step {step} in any case");
            }
        }
    }

    // A later time may never come; the first one must.
    private void Try(CampaignRun run, long part, PeerPool pool)
    {
        StepCase one = Cases[(part - 1) % Cases.Length];
        Random random = run.RandomOf(part);
        int time = Steps.IsRare(one.Step) ? 1 + random.Next(2) : 1 + random.Next(8);
        if (!Play(run, part, one, time, pool) && (time == 1 || !Play(run, part, one, 1, pool)))
        {
            run.Violate($"--part {part}: no process came to {one.Step} in '{one.Name}'");
        }
    }

    private bool Play(CampaignRun run, long part, StepCase one, int time, PeerPool pool)
    {
        Random random = run.RandomOf(part);
        bool onDisk = one.Name.Contains("sync", StringComparison.Ordinal) || one.Name.Contains("durable", StringComparison.Ordinal)
            || one.Name == "recovery of a store" || random.Next(8) == 0;
        using var trial = new Trial(run, $"--part {part} ({one.Step} in {one.Name}, time {time})", pool, inMemory: !onDisk);
        bool reached, lockHeld;
        using (var play = new StepPlay(run, trial, random, one.Step, time))
        {
            try
            {
                reached = one.Play(play, one.Step);
            }
            catch (QueueException exception)
            {
                trial.Violate($"the others cannot go on: {exception}");
                return true;
            }
            lockHeld = play.LockHeld;
            Scenes.Empty(trial, play.Options, lockHeld);
        }
        trial.Judge();
        if (reached)
        {
            run.Count("steps");
            if (_died.Add(one.Step))
            {
                run.Count("steps reached");
            }
        }
        return reached;
    }
}
