using System.Diagnostics;

namespace BlitQueue.Peer;

/// <summary>
/// Makes the directories of a golden format: what tests open for ever. Each is in the state in which processes leave queues: closed, or
/// killed. The numbers here are those that GoldenTests expects; a format that is to have others gets a maker and a test of its own.
/// </summary>
internal sealed class GoldenMaker(string root)
{
    public const string Command = "golden";

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    /// <summary>Makes all, and kills this process while the queue <c>killed</c> is open.</summary>
    public void Run()
    {
        MakeClosed();
        MakeStore();
        MakeLanes();
        MakeKilled();
        Console.Out.WriteLine("made");
        Console.Out.Flush();
        Process.GetCurrentProcess().Kill();
    }

    // 400 parcels, of which all have passed so many that the log no longer begins at position 0; with
    // properties, a batch, and one in pieces.
    private void MakeClosed()
    {
        using var queue = MappedQueue<Parcel>.Open(Path.Combine(root, "closed"), Small);
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Fill(queue, 0, 200, length: 400);
        Take(audit, 190);
        Parcel? parcel = null;
        for (int i = 0; i < 150; i++)
        {
            queue.TryDequeue(ref parcel);
        }
        queue.EnqueueBatch([new Parcel().Fill(1, 200, 10), new Parcel().Fill(1, 201, 70_000), new Parcel().Fill(1, 202, 10)]);
        for (int number = 203; number < 300; number++)
        {
            var properties = new MessageProperties
            {
                MessageId = $"id-{number}",
                Label = "golden",
                CorrelationId = "c",
                ReplyTo = "nobody",
            };
            properties.Headers["number"] = $"{number}";
            queue.Enqueue(new Parcel().Fill(1, number, 100), properties);
        }
        Fill(queue, 300, 400, length: 200);
        // So that segments note how many messages there are.
        queue.GetStatus();
    }

    // 120 parcels transferred from one queue to another in transactions, of 200; then one that was rolled back.
    private void MakeStore()
    {
        using var store = MappedStore.Open(Path.Combine(root, "store"), Small);
        MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from"), to = store.OpenQueue<Parcel>("to");
        Fill(from, 0, 200, length: 300);
        Parcel? parcel = null;
        for (int number = 0; number < 120; number += 3)
        {
            using QueueTransaction transaction = store.Begin();
            for (int i = 0; i < 3; i++)
            {
                transaction.TryReceive(from, ref parcel);
                transaction.Enqueue(to, parcel!);
            }
            transaction.Commit();
        }
        using QueueTransaction rolledBack = store.Begin();
        rolledBack.TryReceive(from, ref parcel);
        rolledBack.Rollback();
    }

    // 30 parcels in each of three lanes, of which 40 were taken: the first lane's, and 10 of the second's.
    private void MakeLanes()
    {
        using var lanes = MappedLanes<Parcel>.Open(Path.Combine(root, "lanes"), 3, Small);
        for (int lane = 0; lane < lanes.Count; lane++)
        {
            Fill(lanes[lane], lane * 100, (lane * 100) + 30, length: 50);
        }
        using LaneSubscription<Parcel> all = lanes.Subscribe("default");
        Parcel? parcel = null;
        for (int i = 0; i < 40; i++)
        {
            all.TryDequeue(ref parcel);
        }
    }

    // 300 parcels. "default" has taken 40. "audit" has taken 20 and then leased 12: 5 are open, 3 committed, 2 dead letters, 2 given back.
    // "late" begins at the parcel 200.
    private void MakeKilled()
    {
        var queue = MappedQueue<Parcel>.Open(Path.Combine(root, "killed"), Small);
        Subscription<Parcel> audit = queue.Subscribe("audit");
        Fill(queue, 0, 200, length: 300);
        queue.Subscribe("late", new SubscriptionOptions { Start = SubscriptionStart.Newest });
        Fill(queue, 200, 300, length: 300);
        Parcel? parcel = null;
        for (int i = 0; i < 40; i++)
        {
            queue.TryDequeue(ref parcel);
        }
        Take(audit, 20);
        Lease<Parcel>[] leases = [.. Enumerable.Range(0, 12).Select(_ => audit.Receive())];
        for (int i = 5; i < 8; i++)
        {
            leases[i].Commit();
        }
        leases[8].DeadLetter("golden, the first");
        leases[9].DeadLetter("golden, the second");
        leases[10].Abandon();
        leases[11].Abandon();
        queue.GetStatus();
        // Not collected, and so given back, before the process is killed.
        GC.KeepAlive(queue);
        GC.KeepAlive(leases);
    }

    private static void Fill(MappedQueue<Parcel> queue, int from, int to, int length)
    {
        var parcel = new Parcel();
        for (int number = from; number < to; number++)
        {
            queue.Enqueue(parcel.Fill(1, number, length + (number % 10)));
        }
    }

    private static void Take(Subscription<Parcel> subscription, int count)
    {
        Parcel? parcel = null;
        for (int i = 0; i < count; i++)
        {
            subscription.TryDequeue(ref parcel);
        }
    }
}
