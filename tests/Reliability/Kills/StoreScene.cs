namespace BlitQueue.Reliability.Kills;

/// <summary>Three queues of a store: producers send to the first, transactions pass each message on to both others.</summary>
internal sealed class StoreScene : IScene
{
    private readonly string _root;
    private readonly bool _isProbed;
    private readonly QueueOptions _options;

    public StoreScene(Trial trial, Random random)
    {
        _root = trial.Root;
        _isProbed = random.Next(2) == 0;
        _options = new QueueOptions { SegmentSize = 1 << 16, Checksum = true };
        Jobs =
        [
            .. Enumerable.Range(0, 2).Select(_ => Limited(Kills.Jobs.Producer(random))),
            .. Enumerable.Range(0, 3).Select(_ => Kills.Jobs.Transfer(random)),
            .. Scenes.Outputs.Select(output => Kills.Jobs.Consumer(random, "default", leasesOnly: true) with { Queue = output, Group = output }),
        ];
        using MappedStore store = OpenStore();
    }

    public IReadOnlyList<Job> Jobs { get; }

    public MappedQueue<Parcel>? OpenProbed() =>
        _isProbed ? MappedQueue<Parcel>.Open(Path.Combine(_root, "queue"), _options with { Capacity = 400_000 }) : null;

    public void Empty(Trial trial) => Scenes.EmptyStore(trial, _options);

    // The workers open the queues with these options too.
    private MappedStore OpenStore()
    {
        MappedStore store = MappedStore.Open(_root, _options);
        foreach (string name in (string[])["queue", .. Scenes.Outputs])
        {
            store.OpenQueue<Parcel>(name);
        }
        return store;
    }

    private static Job Limited(Job job) => job with { Options = [.. job.Options, "capacity=400000"] };
}
