using BlitQueue.Segments;

namespace BlitQueue.Reliability.Kills;

/// <summary>One way to die at one step.</summary>
/// <param name="Name">What is done there, for example "work" or "large batch".</param>
/// <param name="Step">Where the process dies.</param>
/// <param name="Play">Lets it die there, at the given time the step is reached; false when it never came there.</param>
internal sealed record StepCase(string Name, ProtocolStep Step, Func<StepPlay, ProtocolStep, bool> Play);
