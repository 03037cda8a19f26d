namespace BlitQueue.Bench.Serializing;

/// <summary>Works on the same data, and what is promised of them.</summary>
/// <param name="Title">The data.</param>
/// <param name="Works">In the table's order.</param>
/// <param name="Bars">The promises.</param>
internal sealed record Contest(string Title, IReadOnlyList<Work> Works, IReadOnlyList<Bar> Bars);

/// <summary>Something to be timed.</summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="Repeat">Does it so many times: the loop is inside, so that no call through a delegate is in the figure.</param>
internal sealed record Work(string Name, Action<int> Repeat);

/// <summary>What is promised of one work.</summary>
/// <param name="Work">Ours.</param>
/// <param name="Rival">What it is compared with; null where the promise is a time.</param>
/// <param name="Limit">How many times the rival's time it may take at most; with no rival, how many nanoseconds.</param>
internal sealed record Bar(Work Work, Work? Rival, double Limit);
