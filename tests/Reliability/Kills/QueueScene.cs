namespace BlitQueue.Reliability.Kills;

/// <summary>A queue with one or two subscriptions.</summary>
internal sealed class QueueScene : IScene
{
    private readonly string[] _groups;
    private readonly bool _isProbed;
    private readonly bool _oneStep;
    private readonly string _path;
    private readonly QueueOptions _options;

    public QueueScene(Trial trial, Random random)
    {
        _path = trial.Queue;
        bool madeByWorkers = random.Next(4) == 0, leasesOnly = random.Next(3) != 0;
        _groups = !madeByWorkers && random.Next(2) == 0 ? ["default", "audit"] : ["default"];
        _isProbed = !madeByWorkers && random.Next(3) != 0;
        // Without checksums a torn message would come out, and show itself; with them it would be an exception.
        _options = new QueueOptions { SegmentSize = 1 << (16 + random.Next(2)), Checksum = random.Next(2) == 0, Capacity = 400_000 + random.Next(2_000_000) };
        Job[] jobs =
        [
            .. Enumerable.Range(0, 3).Select(_ => Kills.Jobs.Producer(random)),
            .. _groups.SelectMany(group => Consumers(random, group, leasesOnly)),
            .. random.Next(2) == 0 ? new[] { Kills.Jobs.Subscriptions() } : [],
        ];
        _oneStep = !jobs.Any(static job => job.TakesLeases);
        string[] options = [$"segment={_options.SegmentSize}", $"capacity={_options.Capacity}", $"checksum={(_options.Checksum == true ? 1 : 0)}"];
        Jobs = [.. Kills.Jobs.Together(random, jobs.Select(job => job with { Options = [.. job.Options, .. options] }))];
        if (!madeByWorkers)
        {
            Open().Dispose();
        }
    }

    public IReadOnlyList<Job> Jobs { get; }

    private static IEnumerable<Job> Consumers(Random random, string group, bool leasesOnly)
    {
        int timeOut = random.Next(2) == 0 ? 0 : 5 + random.Next(60);
        return [.. Enumerable.Range(0, 2 + random.Next(2)).Select(_ => Kills.Jobs.Consumer(random, group, leasesOnly, timeOut))];
    }

    public MappedQueue<Parcel>? OpenProbed() => _isProbed ? Open() : null;

    public void Empty(Trial trial)
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            queue.DeleteSubscription(Kills.Jobs.Passing);
        }
        Scenes.EmptyQueue(trial, _options, _groups, _oneStep, turnHeld: false);
    }

    private MappedQueue<Parcel> Open()
    {
        MappedQueue<Parcel> queue = MappedQueue<Parcel>.Open(_path, _options);
        foreach (string group in _groups)
        {
            queue.Subscribe(group);
        }
        return queue;
    }
}
