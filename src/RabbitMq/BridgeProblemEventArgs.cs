namespace BlitQueue.RabbitMq;

/// <summary>A problem that has come, or gone.</summary>
/// <param name="problem">What it is; <see cref="BridgeProblem.None"/>: the one before is over.</param>
/// <param name="text">What is wrong and what to do; null where nothing is.</param>
public sealed class BridgeProblemEventArgs(BridgeProblem problem, string? text) : EventArgs
{
    /// <summary>What it is; <see cref="BridgeProblem.None"/>: the one before is over.</summary>
    public BridgeProblem Problem { get; } = problem;

    /// <summary>What is wrong and what to do; null where nothing is.</summary>
    public string? Text { get; } = text;
}
