using BlitQueue.Log;

namespace BlitQueue.Reliability.Kills;

/// <summary>The steps of the protocol by where they are reached.</summary>
internal static class Steps
{
    public static readonly ProtocolStep[] All = Enum.GetValues<ProtocolStep>();

    public static ProtocolStep[] Named(params string[] beginnings) =>
        [.. All.Where(step => Array.Exists(beginnings, beginning => step.ToString().StartsWith(beginning, StringComparison.Ordinal)))];

    /// <summary>Whether a process that dies at this step holds the append lock.</summary>
    public static bool HoldsLock(ProtocolStep step) => step is ProtocolStep.AppendLockAcquired or ProtocolStep.AppendPacked
        or ProtocolStep.AppendNextSealed or ProtocolStep.AppendBatchWritten or ProtocolStep.AppendPublished
        or ProtocolStep.AppendTailMoved or ProtocolStep.RollPadPublished or ProtocolStep.RollTailMoved
        or ProtocolStep.RequeueMarked or ProtocolStep.RequeueNoted;

    /// <summary>Reached by another thread than the one that enqueues and dequeues.</summary>
    public static bool IsInBackground(ProtocolStep step) => step.ToString().StartsWith("Segment", StringComparison.Ordinal);

    /// <summary>Of a queue's or a store's own files: reached once or twice in a process's life.</summary>
    public static bool IsRare(ProtocolStep step) => IsInBackground(step)
        || Array.Exists(
            ["Store", "Subscription", "Recovery", "Failure", "Roll", "Completion"],
            name => step.ToString().StartsWith(name, StringComparison.Ordinal));
}

/// <summary>One way to die at one step.</summary>
/// <param name="Name">What is done there, for example "work" or "large batch".</param>
/// <param name="Step">Where the process dies.</param>
/// <param name="Play">Lets it die there, at the given time the step is reached; false when it never came there.</param>
internal sealed record StepCase(string Name, ProtocolStep Step, Func<StepPlay, ProtocolStep, bool> Play)
{
    /// <summary>The same at each of these steps.</summary>
    public static IEnumerable<StepCase> Of(string name, IEnumerable<ProtocolStep> steps, Func<StepPlay, ProtocolStep, bool> play) =>
        steps.Select(step => new StepCase(name, step, play));
}
