namespace BlitQueue.Bench.Serializing;

/// <summary>Something to be timed.</summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="Repeat">Does it so many times: the loop is inside, so that no call through a delegate is in the figure.</param>
internal sealed record Work(string Name, Action<int> Repeat);
