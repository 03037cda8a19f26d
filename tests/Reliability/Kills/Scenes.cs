using BlitQueue.Log;

namespace BlitQueue.Reliability.Kills;

/// <summary>What stands in a round's directory, who works there, and how it is emptied at the end.</summary>
internal interface IScene
{
    /// <summary>One job for each worker; who dies is followed by another with the same job.</summary>
    IReadOnlyList<Job> Jobs { get; }

    /// <summary>A queue that the campaign itself may enqueue to all the time; null where the workers are to be alone.</summary>
    MappedQueue<Parcel>? OpenProbed();

    /// <summary>Takes all that is left, so that the checker sees where each message went.</summary>
    void Empty(Trial trial);
}

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
        _options = new QueueOptions
        {
            SegmentSize = 1 << (16 + random.Next(2)),
            UseChecksums = random.Next(2) == 0,
            Capacity = 400_000 + random.Next(2_000_000),
        };
        Job[] jobs =
        [
            .. Enumerable.Range(0, 3).Select(_ => Kills.Jobs.Producer(random)),
            .. _groups.SelectMany(group => Consumers(random, group, leasesOnly)),
            .. random.Next(2) == 0 ? new[] { Kills.Jobs.Subscriptions() } : [],
        ];
        _oneStep = !jobs.Any(static job => job.TakesLeases);
        string[] options = [$"segment={_options.SegmentSize}", $"capacity={_options.Capacity}",
            $"checksum={(_options.UseChecksums == true ? 1 : 0)}"];
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
            queue.DeleteSubscription(Kills.Jobs.Temporary);
        }
        Scenes.EmptyQueue(trial, _options, _groups, _oneStep, lockHeld: false);
    }

    private MappedQueue<Parcel> Open()
    {
        var queue = MappedQueue<Parcel>.Open(_path, _options);
        foreach (string group in _groups)
        {
            queue.Subscribe(group);
        }
        return queue;
    }
}

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
        _options = new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true };
        Jobs =
        [
            .. Enumerable.Range(0, 2).Select(_ => Limited(Kills.Jobs.Producer(random))),
            .. Enumerable.Range(0, 3).Select(_ => Kills.Jobs.Transfer(random)),
            .. Scenes.Outputs.Select(
                output => Kills.Jobs.Consumer(random, "default", leasesOnly: true) with { Queue = output, Group = output }),
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
        var store = MappedStore.Open(_root, _options);
        foreach (string name in (string[])["queue", .. Scenes.Outputs])
        {
            store.OpenQueue<Parcel>(name);
        }
        return store;
    }

    private static Job Limited(Job job) => job with { Options = [.. job.Options, "capacity=400000"] };
}

/// <summary>How a trial's directory is emptied at the end, so that the checker sees where each message went.</summary>
internal static class Scenes
{
    /// <summary>The queues that transactions pass messages on to.</summary>
    public static readonly string[] Outputs = ["left", "right"];

    /// <summary>Empties the queue, or the store.</summary>
    /// <param name="lockHeld">Somebody died with the append lock: that must have been repaired.</param>
    public static void Empty(Trial trial, QueueOptions options, bool lockHeld)
    {
        if (File.Exists(Path.Combine(trial.Root, TransactionFormat.FileName)))
        {
            EmptyStore(trial, options);
        }
        else
        {
            EmptyQueue(trial, options, ["default"], oneStep: false, lockHeld);
        }
    }

    public static void EmptyQueue(Trial trial, QueueOptions options, string[] groups, bool oneStep, bool lockHeld)
    {
        using (var queue = MappedQueue<Parcel>.Open(trial.Queue, options))
        {
            foreach (string group in groups)
            {
                using OwnLog log = trial.OpenLog(new Job("drain") { Group = group, TakesLeases = !oneStep });
                Drain.Subscription(queue, group, oneStep, log);
            }
            trial.Require(!lockHeld || queue.GetStatus().Repairs > 0, "a process died with the append lock, and nobody has repaired that");
        }
        Baseline.Require(trial, trial.Queue, options);
    }

    /// <summary>Passes on what is left, then empties both outputs as consumers that know of no store.</summary>
    public static void EmptyStore(Trial trial, QueueOptions options)
    {
        using (var store = MappedStore.Open(trial.Root, options))
        {
            Transfer(store);
        }
        foreach (string output in Outputs)
        {
            trial.NoteGroup(output, "unordered");
            using var queue = MappedQueue<Parcel>.Open(Path.Combine(trial.Root, output), options);
            using OwnLog log = trial.OpenLog(new Job("drain") { Group = output, TakesLeases = true });
            Drain.Subscription(queue, "default", oneStep: false, log);
        }
        foreach (string name in (string[])["queue", .. Outputs])
        {
            Baseline.Require(trial, Path.Combine(trial.Root, name), options);
        }
    }

    private static void Transfer(MappedStore store)
    {
        Subscription<Parcel> from = store.OpenQueue<Parcel>("queue")
            .Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue });
        MappedQueue<Parcel>[] to = [.. Outputs.Select(output => store.OpenQueue<Parcel>(output))];
        Parcel? parcel = null;
        for (int idle = 0; idle < Drain.Looks; Thread.Sleep(idle++))
        {
            while (TryTransfer(store, from, to, ref parcel))
            {
                idle = 0;
            }
        }
    }

    private static bool TryTransfer(MappedStore store, Subscription<Parcel> from, MappedQueue<Parcel>[] to, ref Parcel? parcel)
    {
        using QueueTransaction transaction = store.Begin();
        if (!transaction.TryReceive(from, ref parcel))
        {
            return false;
        }
        transaction.EnqueueToAll(parcel!, to);
        transaction.Commit();
        return true;
    }
}
