namespace BlitQueue.Bench.Promises;

/// <summary>Whether a promise is held.</summary>
internal enum Outcome
{
    Held,
    Missed,

    /// <summary>Missed, but the machine itself is worse than the promise asks of it.</summary>
    NotCalm,

    /// <summary>A row is not there.</summary>
    NotMeasured,
}
