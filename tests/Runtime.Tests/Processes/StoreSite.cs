using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A store in which others transfer parcels from one queue to two, and what must come of it: each parcel once in both.</summary>
/// <param name="durable">On a disk, with transactions that outlast the machine.</param>
internal sealed class StoreSite(bool durable = false) : IDisposable
{
    /// <summary>The queues that parcels are sent to.</summary>
    public const string To = "left,right";

    private static readonly QueueOptions Small = new()
    {
        SegmentSize = 1 << 16,
        UseChecksums = true,
        StallTimeout = TimeSpan.FromSeconds(1),
    };

    private int _filled;

    public Site Site { get; } = new(inMemory: !durable);

    public string Left => Path.Combine(Site.Root, "left");

    public string Right => Path.Combine(Site.Root, "right");

    public MappedStore Open() => MappedStore.Open(Site.Root, Small);

    public static MappedQueue<Parcel> Alone(string path) => MappedQueue<Parcel>.Open(path, Small);

    /// <summary>Puts more parcels into the queue that they are received from.</summary>
    public void Fill(MappedQueue<Parcel> from, int count, int size = 100)
    {
        var parcel = new Parcel();
        for (int end = _filled + count; _filled < end; _filled++)
        {
            from.Enqueue(parcel.Fill(1, _filled, size + (_filled % 50)));
        }
    }

    public void Fill(int count, int size = 100)
    {
        using MappedQueue<Parcel> from = Alone(Site.Queue);
        Fill(from, count, size);
    }

    /// <summary>Starts a process that transfers, and dies at a step.</summary>
    public Peer StartToDie(ProtocolStep step, int time, int batch = 1) =>
        Peer.StartToDie(Site, step, time, "store-transfer", $"to={To}", $"batch={batch}", Durable);

    /// <summary>Starts a process that transfers, and whose disk refuses its syncs from the given one on.</summary>
    public Peer StartToFailSync(int time)
        => Peer.StartToFailSync(Site, time, null, "store-transfer", $"to={To}", "batch=2", "count=1", Durable);

    private string Durable => durable ? "durable=1" : "durable=0";

    /// <summary>Transfers what the others have left.</summary>
    public void TransferRest(MappedStore store)
    {
        using Subscription<Parcel> from = store.OpenQueue<Parcel>("queue")
            .Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue });
        MappedQueue<Parcel> left = store.OpenQueue<Parcel>("left"), right = store.OpenQueue<Parcel>("right");
        Parcel? parcel = null;
        for (int idle = 0; idle < 6; Thread.Sleep(idle++))
        {
            while (true)
            {
                using QueueTransaction transaction = store.Begin();
                if (!transaction.TryReceive(from, ref parcel))
                {
                    break;
                }
                idle = 0;
                transaction.EnqueueToAll(parcel!, left, right);
                transaction.Commit();
            }
        }
    }

    /// <summary>Transfers the rest; then each parcel must be in both queues, once, and nothing in the first.</summary>
    public void AssertEachOnce()
    {
        using MappedStore store = Open();
        TransferRest(store);
        using MappedQueue<Parcel> from = Alone(Site.Queue);
        Assert.Equal(0, from.GetStatus().MessageCount);
        AssertEachOnce(Left, Take(Left));
        AssertEachOnce(Right, Take(Right));
    }

    /// <summary>Takes the numbers of all the parcels of a queue, as a consumer that knows of no store.</summary>
    public static List<long> Take(string queue)
    {
        using MappedQueue<Parcel> opened = Alone(queue);
        return Take(opened);
    }

    public static List<long> Take(MappedQueue<Parcel> queue)
    {
        var numbers = new List<long>();
        Parcel? parcel = null;
        while (queue.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            if (parcel.Producer == 1)
            {
                numbers.Add(parcel.Number);
            }
        }
        return numbers;
    }

    private void AssertEachOnce(string queue, List<long> numbers)
    {
        numbers.Sort();
        int[] doubled = [.. numbers.GroupBy(static number => number).Where(static group => group.Count() > 1)
            .Select(static group => (int)group.Key)];
        long[] lost = [.. Enumerable.Range(0, _filled).Select(static number => (long)number).Except(numbers)];
        Assert.True(doubled.Length == 0 && lost.Length == 0 && numbers.Count == _filled,
            $"{queue}: {lost.Length} lost ({string.Join(' ', lost.Take(10))}), {doubled.Length} doubled "
                + $"({string.Join(' ', doubled.Take(10))}).");
    }

    public void Dispose() => Site.Dispose();
}
