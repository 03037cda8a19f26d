namespace BlitQueue.Explorer;

/// <summary>A scenario that can be made, over files of its own.</summary>
/// <param name="Name">One word.</param>
/// <param name="Actors">How many processes it has.</param>
/// <param name="Make">Makes it.</param>
internal sealed record CatalogueEntry(string Name, int Actors, Func<QueueBench, Scenario> Make)
{
    /// <summary>Where the log begins, bytes into the first segment's records.</summary>
    public int Start { get; init; }

    public bool Checksum { get; init; } = true;

    /// <summary>How many messages are in the log from the beginning on.</summary>
    public int Messages { get; init; }

    /// <summary>The first segment that was not given up.</summary>
    public int Retained { get; init; }

    /// <summary>How often a process may be left that could go on, where there is little time.</summary>
    public int ShortBound { get; init; } = 2;

    /// <summary>How often a process may be left that could go on, where there is much time; null for any number of times.</summary>
    public int? LongBound { get; init; } = 3;

    /// <summary>How many times fewer that is in <see cref="MemoryMode.Views"/>, where a process may see old values besides.</summary>
    public int LessInViews { get; init; }

    /// <summary>The bound in a memory; null for none.</summary>
    public int? BoundIn(MemoryMode mode, int? bound) =>
        mode == MemoryMode.Views && bound is { } most ? Math.Max(0, most - LessInViews) : bound;

    /// <summary>Makes it; dispose its bench.</summary>
    /// <param name="weakness">A fault to put in; null for none.</param>
    public Scenario Open(Weakness? weakness = null)
    {
        var bench = new QueueBench(Actors, Start, Checksum, leases: Messages > 0);
        bench.Fill(Messages);
        bench.Control.FirstRetainedState = Retained;
        bench.FileOf(Retained) = Retained < bench.Control.AllocatedEnd ? 1 : 0;
        bench.Freeze();
        return Make(bench) with { Name = Name, Weakness = weakness };
    }
}
