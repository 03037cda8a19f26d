using System.Globalization;
using BlitQueue.Reliability.Kills;

namespace BlitQueue.Reliability.Soak;

/// <summary>A busy queue with two subscriptions, three queues of a store, and those who work there.</summary>
internal sealed class SoakSite
{
    private const long Mega = 1 << 20;

    // The workers open the store with segments of this size.
    public static readonly QueueOptions Options = new() { SegmentSize = 1 << 16, UseChecksums = true, Capacity = 8 * Mega };

    private readonly Trial _trial;
    private readonly string _busy;
    private readonly (Worker Worker, Series[] Series)[] _workers;
    private readonly Series[] _own = SeriesOf("the campaign");
    private readonly Series _files = new("files", 20);
    private long _resident;

    public SoakSite(Trial trial, Random random)
    {
        _trial = trial;
        _busy = Path.Combine(trial.Root, "busy");
        using (var busy = MappedQueue<Parcel>.Open(_busy, Options))
        using (var store = MappedStore.Open(trial.Root, Options))
        {
            busy.Subscribe("audit");
            foreach (string name in (string[])["queue", .. Scenes.Outputs])
            {
                store.OpenQueue<Parcel>(name);
            }
        }
        _workers = [.. Jobs(random).Select(Start)];
    }

    private static IEnumerable<Job> Jobs(Random random)
    {
        string size = $"size={100 + random.Next(900)}", wave = $"wave={1000 + random.Next(1000)}";
        return
        [
            Busy("produce", size, "burst=20"), Busy("batch", size, "burst=5", "batch=4"), Busy("properties", size, "burst=2"),
            Busy("reopen", size, "burst=1"), Busy("lease-batch", "batch=20", wave), Busy("lease", "burst=50"),
            Busy("consume", "subscription=audit", wave), Busy("consume-async", "subscription=audit"),
            Busy("subscriptions", $"subscription={Kills.Jobs.Temporary}", "burst=1"), Busy("look"),
            // The two ends of the store keep up with the transactions between them.
            new Job("produce") { Options = [size, "burst=2"] }, new Job("store-transfer") { Options = ["to=left,right", "batch=4"] },
            new Job("lease") { Queue = "left" }, new Job("consume") { Queue = "right" },
        ];
    }

    private static Job Busy(string command, params string[] options) => new(command) { Queue = "busy", Options = options };

    private (Worker Worker, Series[] Series) Start(Job job)
    {
        Worker worker = _trial.Employ(
            job with { Options = [.. job.Options, "tally=1", $"segment={Options.SegmentSize}", $"capacity={Options.Capacity}"] });
        worker.Peer.LetLive();
        worker.Peer.WaitFor("ready");
        return (worker, SeriesOf(job.Command));
    }

    private static Series[] SeriesOf(string who) =>
    [
        new($"memory of {who}", 16 * Mega), new($"descriptors of {who}", 8), new($"mappings of {who}", 40),
    ];

    public void Sample()
    {
        foreach ((Worker worker, Series[] series) in _workers)
        {
            if (!worker.Peer.HasExited)
            {
                Sample(worker.Peer.Id, series);
            }
        }
        Sample(Environment.ProcessId, _own);
        _files.Add(Directory.EnumerateFiles(_trial.Root, "*", SearchOption.AllDirectories).LongCount());
    }

    private void Sample(int process, Series[] series)
    {
        var usage = Usage.Of(process);
        series[0].Add(usage.Anonymous);
        series[1].Add(usage.Descriptors);
        series[2].Add(usage.Mappings);
        _resident = Math.Max(_resident, usage.Resident);
    }

    /// <summary>Lets all come to their end, and compares what was enqueued with what was consumed.</summary>
    /// <returns>How many messages were enqueued.</returns>
    public long End()
    {
        // Producers first, then who passes on: consumers make room for them, and take what is left.
        foreach ((Worker worker, _) in _workers)
        {
            _trial.Finish(worker);
        }
        long busy = Require("busy", ["default", "audit"]);
        return busy + Require("queue", []);
    }

    private long Require(string name, string[] groups)
    {
        long enqueued = _workers.Where(pair => pair.Worker.Job.Queue == name).Sum(static pair => Tally(pair.Worker, 1));
        foreach (string group in groups)
        {
            long consumed = _workers.Where(pair => pair.Worker.Job.Queue == name && GroupOf(pair.Worker.Job) == group)
                .Sum(static pair => Tally(pair.Worker, 2));
            _trial.Require(consumed == enqueued, $"{enqueued} messages were enqueued, and {group} consumed {consumed}");
        }
        foreach (string output in groups.Length == 0 ? Scenes.Outputs : [])
        {
            long consumed = _workers.Where(pair => pair.Worker.Job.Queue == output).Sum(static pair => Tally(pair.Worker, 2));
            _trial.Require(consumed == enqueued, $"{enqueued} messages were enqueued, and {consumed} consumed from {output}");
        }
        return enqueued;
    }

    private static string? GroupOf(Job job) => job.Command is "subscriptions" or "look"
        ? null
        : job.Options.FirstOrDefault(static option => option.StartsWith("subscription=", StringComparison.Ordinal))?.Split('=')[1]
        ?? "default";

    private static long Tally(Worker worker, int field) =>
        worker.Peer.Output.Split('\n').FirstOrDefault(static line => line.StartsWith("tally", StringComparison.Ordinal)) is { } line
            ? long.Parse(line.Split(' ')[field], CultureInfo.InvariantCulture)
            : 0;

    public void Report(CampaignRun run)
    {
        foreach (Series series in _workers.SelectMany(static pair => pair.Series).Concat(_own).Append(_files))
        {
            if (series.Growth() is { } growth)
            {
                _trial.Violate(growth);
            }
        }
        run.Highest("MB resident in a process", _resident / Mega);
    }
}
