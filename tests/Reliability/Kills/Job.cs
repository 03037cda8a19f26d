namespace BlitQueue.Reliability.Kills;

/// <summary>What a worker is told to do, and what the checker must know of it.</summary>
/// <param name="Command">One of the peer's commands.</param>
internal sealed record Job(string Command)
{
    /// <summary>The queue's directory, below that of the trial.</summary>
    public string Queue { get; init; } = "queue";

    /// <summary>The peer's options.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];

    /// <summary>How many messages it may enqueue in one step; empty when it enqueues nothing.</summary>
    public IReadOnlyList<int> Operations { get; init; } = [];

    /// <summary>All its steps are batches of this many.</summary>
    public int Batch { get; init; }

    /// <summary>The subscription whose messages it takes.</summary>
    public string? Group { get; init; }

    /// <summary>How many messages it may have consumed, and not said so, when it is killed.</summary>
    public int InHand { get; init; }

    /// <summary>It takes messages without consuming them at once.</summary>
    public bool TakesLeases { get; init; }

    /// <summary>What it enqueues comes to this subscription alone; null where it comes to all.</summary>
    public string? Only { get; init; }

    /// <summary>After how many milliseconds it takes a lease from another who lives; 0: never.</summary>
    public int TimeOut { get; init; }

    /// <summary>What its queue does when its capacity is used up; null where it has none.</summary>
    public string? Room { get; init; }

    /// <summary>What the threads of its process do, where it is one of several; they share the handles that the command's options say.</summary>
    public IReadOnlyList<Job> Threads { get; init; } = [];

    /// <summary>It, or one of its threads, enqueues.</summary>
    public bool Produces => Operations.Count > 0 || Threads.Any(static thread => thread.Produces);

    /// <summary>It, or one of its threads, consumes.</summary>
    public bool Consumes => Group is not null || Threads.Any(static thread => thread.Consumes);

    /// <summary>Threads of one process that share handles to a queue.</summary>
    public static Job Of(IReadOnlyList<Job> threads, int handles) => new("threads") { Threads = threads, Options = [$"handles={handles}"] };

    /// <summary>What the crew's file says of it.</summary>
    /// <param name="number">The worker's number, which is its number as a producer too.</param>
    /// <param name="process">The process; 0 where it does not matter.</param>
    public string Describe(int number, int process = 0)
    {
        string text = Operations.Count > 0 ? $" producer={number} operations={string.Join(',', Operations)}" : "";
        text += Batch > 0 ? $" batch={Batch}" : "";
        text += Group is not null ? $" group={Group}" : "";
        text += Only is not null ? $" only={Only}" : "";
        text += InHand > 0 ? $" inhand={InHand}" : "";
        text += TimeOut > 0 ? $" timeout={TimeOut}" : "";
        text += Room is not null ? $" room={Room}" : "";
        text += process > 0 ? $" process={process}" : "";
        return text + (TakesLeases ? " leases=yes" : "");
    }
}
