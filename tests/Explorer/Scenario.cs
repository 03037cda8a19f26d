namespace BlitQueue.Explorer;

/// <summary>Processes, what they do, and what may happen to them.</summary>
internal sealed record Scenario(string Name, QueueBench Bench, IReadOnlyList<Actor> Actors)
{
    /// <summary>How many processes may be killed, at any point.</summary>
    public int Kills { get; init; }

    /// <summary>How many may be stopped, at any point, until nobody else can go on.</summary>
    public int Stops { get; init; }

    /// <summary>
    /// How often time may pass, each time more than a lease may last; 0 for a clock that each look moves on, and leases that last for ever.
    /// </summary>
    public int Ticks { get; init; }

    /// <summary>The process that runs an actor: itself, or the one whose thread it is.</summary>
    public int ProcessOf(int actor) => Actors[actor].ThreadOf ?? actor;

    /// <summary>
    /// Whether messages below <see cref="Steps.Again"/> are letters: each becomes the message that is so much higher, and is consumed then.
    /// </summary>
    public bool AreLetters { get; init; }

    /// <summary>
    /// Whether each process comes to its end, woken each time: one that still sleeps when nothing more happens has lost a wake-up, and so
    /// has one whose sleep ends by its time-out.
    /// </summary>
    public bool AllEnd { get; init; }

    /// <summary>Whether who wakes pays for the fence, as where the system has none for whole processes.</summary>
    public bool WakersPay { get; init; }

    /// <summary>Whether who wakes gives up fencing as soon as it has once been for nothing; otherwise it never does.</summary>
    public bool GivesUpFences { get; init; }

    /// <summary>Whether the append lock is biased to a process that has appended twice in a row.</summary>
    public bool Biases { get; init; }

    /// <summary>Whether processes order accesses by fences of their own, which the memory must know then.</summary>
    public bool HasFences { get; init; }

    /// <summary>A fault to be found; null for the protocol as it is.</summary>
    public Weakness? Weakness { get; init; }
}
