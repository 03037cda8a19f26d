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

    /// <summary>
    /// What the threads of its process do, where it is one of several; they share the handles that the command's options say.
    /// </summary>
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

/// <summary>What workers can be told to do.</summary>
internal static class Jobs
{
    /// <summary>The name of the subscription that is made and deleted all the time.</summary>
    public const string Temporary = "temporary";

    private const int LargeBatch = 40;

    /// <summary>One of the ways to enqueue.</summary>
    public static Job Producer(Random random)
    {
        string size = $"size={(random.Next(3) == 0 ? 16 : 100 + random.Next(1500))}",
            burst = $"burst={(random.Next(4) == 0 ? 0 : 1 + random.Next(100))}";
        int batch = 2 + random.Next(5);
        return random.Next(7) switch
        {
            0 or 1 => new Job("produce") { Options = [size, burst], Operations = [1] },
            2 => new Job("batch") { Options = [size, burst, $"batch={batch}"], Operations = [batch], Batch = batch },
            // Over three segments of 64 KiB.
            3 => new Job("batch")
            {
                Options = ["size=3000", "burst=1", $"batch={LargeBatch}"],
                Operations = [LargeBatch],
                Batch = LargeBatch,
            },
            4 => new Job("properties") { Options = [size, "burst=5"], Operations = [1, 2] },
            5 => new Job("produce-async") { Options = [size, burst], Operations = [1] },
            _ => new Job("reopen") { Options = [size, "burst=1"], Operations = [1] },
        };
    }

    /// <summary>One of the ways to consume from a subscription.</summary>
    /// <param name="leasesOnly">Only those that tell which message they have in hand when they die.</param>
    /// <param name="timeOut">
    /// After how many milliseconds some of the subscription's consumers take a lease from another; 0: none does.
    /// </param>
    public static Job Consumer(Random random, string group, bool leasesOnly, int timeOut = 0)
    {
        string[] options = [$"subscription={group}", $"burst={1 + random.Next(50)}"];
        int batch = 2 + random.Next(6);
        if (timeOut > 0)
        {
            int own = random.Next(3) == 0 ? 0 : timeOut;
            return new Job(random.Next(2) == 0 ? "lease" : "sort")
            {
                Options = [.. options, $"timeout={own}", "mayLose=1"],
                Group = group,
                TakesLeases = true,
                TimeOut = own,
            };
        }
        return random.Next(leasesOnly ? 3 : 6) switch
        {
            0 => new Job("lease") { Options = options, Group = group, TakesLeases = true },
            1 => new Job("lease-batch") { Options = [.. options, $"batch={batch}"], Group = group, TakesLeases = true },
            2 => new Job("sort") { Options = options, Group = group, TakesLeases = true },
            3 => new Job("consume") { Options = options, Group = group, InHand = 1 },
            4 => new Job("consume-batch") { Options = [.. options, $"batch={batch}"], Group = group, InHand = batch },
            _ => new Job("consume-async") { Options = options, Group = group, InHand = 1 },
        };
    }

    /// <summary>
    /// Some processes of these jobs, in each of which one to three threads share a handle: of producers,
    /// or of consumers, for those end first.
    /// </summary>
    public static IEnumerable<Job> Together(Random random, IEnumerable<Job> jobs) =>
        jobs.GroupBy(static job => job.Produces).SelectMany(static group => group.Chunk(3))
            .SelectMany(chunk => random.Next(2) == 0 ? chunk : [Job.Of(chunk, handles: 1)]);

    /// <summary>Makes a subscription, looks at a few messages and deletes it, again and again.</summary>
    public static Job Subscriptions() => new("subscriptions") { Options = [$"subscription={Temporary}", "burst=1"] };

    /// <summary>Passes messages on, each in a transaction.</summary>
    public static Job Transfer(Random random) => new("store-transfer") { Options = ["to=left,right", $"batch={1 + random.Next(3)}"] };
}
