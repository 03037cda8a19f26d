using BlitQueue.Reliability.Kills;

namespace BlitQueue.Reliability.Mixed;

/// <summary>What the threads of one part do.</summary>
/// <param name="room">What the queue does when it is full; null where it has no capacity.</param>
/// <param name="options">What all of them are told.</param>
internal sealed class MixedJobs(Random random, string? room, IReadOnlyList<string> options)
{
    /// <summary>The subscription that is made to go back and forth, and the one that is deleted and made again.</summary>
    public const string Sought = "sought", Remade = "remade";

    private const string Timed = "timed";

    // Deliveries until a message becomes a letter: some cannot be unpacked.
    private const int Attempts = 6;

    /// <summary>The subscriptions that are never deleted.</summary>
    public static readonly string[] Lasting = ["default", Timed, Sought];

    /// <summary>In a random order.</summary>
    public IReadOnlyList<Job> All()
    {
        int timeOut = random.Next(3) switch { 0 => 2, 1 => 15, _ => 40 };
        Job[] jobs =
        [
            .. Times(2 + random.Next(2), () => Make("produce") with { Operations = [1], Room = room }),
            .. Times(1 + random.Next(2), () => Consumer("consume", "default")),
            Consumer("lease", "default"),
            .. Times(2 + random.Next(2), () => Consumer("lease", Timed, timeOut)),
            random.Next(2) == 0 ? Consumer("consume", Timed, timeOut) : Consumer("lease", Timed),
            .. Times(1 + random.Next(2), () => Consumer("seek", Sought)),
            Consumer("remake", Remade),
            .. Times(1 + random.Next(2), () => Consumer("visit", Remade)),
            Make("look"),
            Make("ask"),
            .. Times(random.Next(3) == 0 ? 1 : 0, () => Make("purge")),
        ];
        random.Shuffle(jobs);
        return jobs;
    }

    private static IEnumerable<Job> Times(int count, Func<Job> make) => [.. Enumerable.Range(0, count).Select(_ => make())];

    private Job Make(string what) => new($"mixed-{what}") { Options = [.. options, $"seed={random.Next()}"] };

    private Job Consumer(string what, string group, int timeOut = 0)
    {
        Job job = Make(what);
        return job with
        {
            Group = group,
            TakesLeases = true,
            TimeOut = timeOut,
            Options = [.. job.Options, $"subscription={group}", $"timeout={timeOut}", $"attempts={Attempts}",
                $"mayLose={(group == Timed ? 1 : 0)}"],
        };
    }
}
