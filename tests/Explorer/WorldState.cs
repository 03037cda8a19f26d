namespace BlitQueue.Explorer;

/// <summary>One state of the exploration: where each process is, and what the memory is.</summary>
internal sealed class WorldState
{
    public required SimulatedMemory Memory { get; init; }

    /// <summary>The node of the step tree that each process is at.</summary>
    public required int[] At { get; init; }

    public required ActorState[] Actors { get; init; }

    public required Ledger Ledger { get; init; }

    public int Kills { get; set; }

    public int Stops { get; set; }

    /// <summary>How often time has passed.</summary>
    public int Ticks { get; set; }

    /// <summary>Processes whose sleep's time ran out, as bits.</summary>
    public int Late { get; set; }

    /// <summary>Who did the last access, and how often a process was left that could have gone on.</summary>
    public int Last { get; set; } = -1;

    public int Preemptions { get; set; }

    /// <summary>What was found to be wrong on the way here.</summary>
    public string? Fault { get; set; }

    public WorldState Clone() => new()
    {
        Memory = Memory.Clone(), At = [.. At], Actors = [.. Actors], Ledger = Ledger.Clone(), Kills = Kills, Stops = Stops, Ticks = Ticks,
        Late = Late, Last = Last,
        Preemptions = Preemptions, Fault = Fault,
    };

    /// <summary>What tells this state from others.</summary>
    public UInt128 Hash(bool countsPreemptions)
    {
        var hash = default(StateHash);
        for (int actor = 0; actor < At.Length; actor++)
        {
            hash.Add(((long)At[actor] << 8) | (byte)Actors[actor]);
        }
        hash.Add(((long)Ticks << 48) | ((long)Kills << 40) | ((long)Stops << 32) | (uint)Late);
        if (countsPreemptions)
        {
            bool isOver = Last >= 0 && Actors[Last] is ActorState.Dead or ActorState.Done;
            hash.Add(((long)(isOver ? -1 : Last) << 32) | (uint)Preemptions);
        }
        Ledger.AddTo(ref hash);
        Memory.AddTo(ref hash);
        return hash.Value;
    }
}
