using BlitQueue.Reliability.Native;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>The wall clock jumps, or stands still, while a queue is at work.</summary>
internal static class WrongClock
{
    private const int Large = 6000, Count = 40;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public static void Run(string root, int mode, TimeSpan jump)
    {
        SystemCalls.Use();
        Leases(Path.Combine(root, "leases"), mode, jump);
        Messages(Path.Combine(root, "messages"), mode, jump);
        Sleepers(Path.Combine(root, "sleepers"), mode, jump);
    }

#pragma warning disable BQ0103 // What is taken and not given back is what the time-outs are for.
    // Delays and time-outs go by a clock that nobody sets.
    private static void Leases(string path, int mode, TimeSpan jump)
    {
        Right();
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(queue, 0, 4, 100);
        using Subscription<Item> patient = queue.Subscribe(
            "patient", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromHours(1) });
        using Subscription<Item> hasty = queue.Subscribe(
            "hasty",
            new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(50), RetryDelay = TimeSpan.FromMilliseconds(50) });
        Lease<Item> kept = patient.Receive(), taken = hasty.Receive(), delayed = hasty.Receive();
        delayed.Abandon(TimeSpan.FromMilliseconds(50));
        Wrong(mode, jump);
        for (int number = 1; number < 4; number++)
        {
            using Lease<Item> next = patient.Receive();
            SystemWorker.Require(next.Position != kept.Position, "a lease of an hour was taken away");
            next.Commit();
        }
        SystemWorker.Require(!patient.TryReceive(out _), "a lease of an hour was taken away");
        kept.Commit();
        // Both come again, and what was not touched comes.
        var positions = new HashSet<QueuePosition>();
        using var patience = new CancellationTokenSource(Patience);
        while (positions.Count < 4)
        {
            Lease<Item> lease = hasty.Receive(patience.Token);
            positions.Add(lease.Position);
            lease.Commit();
        }
        SystemWorker.Require(positions.Contains(taken.Position) && positions.Contains(delayed.Position), "a message did not come again");
        Right();
    }

#pragma warning restore BQ0103

    // What may be lost to a clock is what was given a time to live.
    private static void Messages(string path, int mode, TimeSpan jump)
    {
        Right();
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small with { RetainFor = TimeSpan.FromHours(1) });
        long next = 0, consumed = 0;
        for (int round = 0; round < 6; round++)
        {
            SystemWorker.Fill(queue, next, Count, Large);
            queue.Enqueue(new Item().Fill(-1, 100), new MessageProperties { TimeToLive = TimeSpan.FromHours(1) });
            next += Count;
            if (round % 2 == 0)
            {
                Wrong(mode, jump);
            }
            else
            {
                Right();
            }
            Item? item = null;
            for (int i = 0; i < Count - 5; consumed += item!.Number < 0 ? 0 : 1)
            {
                SystemWorker.Require(queue.TryDequeue(ref item), $"message {consumed} is not there");
                SystemWorker.Require(
                    item!.IsWhole && (item.Number == consumed || item.Number == -1), $"message {item.Number} came instead of {consumed}");
                i += item.Number < 0 ? 0 : 1;
            }
            queue.GetStatus();
        }
        Right();
        for (Item? item = null; queue.TryDequeue(ref item); consumed += item.Number < 0 ? 0 : 1)
        {
            SystemWorker.Require(
                item!.IsWhole && (item.Number == consumed || item.Number == -1), $"message {item.Number} came instead of {consumed}");
        }
        SystemWorker.Require(consumed == next, $"{next - consumed} messages without a time to live are lost");
    }

    private static void Sleepers(string path, int mode, TimeSpan jump)
    {
        Right();
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small with { Capacity = 1 << 18 });
        Task<Item> waiting = queue.DequeueAsync().AsTask();
        using Subscription<Item> other = queue.Subscribe("other");
        Task<long> sleeping = Task.Run(() =>
        {
            Item? item = null;
            other.Dequeue(ref item);
            return item!.Number;
        });
        Wrong(mode, jump);
        SystemWorker.Fill(queue, 0, 1, 100);
        SystemWorker.Require(waiting.Wait(Patience) && sleeping.Wait(Patience), "a consumer is not woken");
        using var soon = new CancellationTokenSource(TimeSpan.FromMilliseconds(20));
        Task<Item> given = queue.DequeueAsync(cancellationToken: soon.Token).AsTask();
        SystemWorker.Require(Task.WhenAny(given).Wait(Patience) && given.IsCanceled, "a wait with an end does not end");
        Right();
    }

    private static void Wrong(int mode, TimeSpan jump) => SystemCalls.Clock(mode, (long)jump.TotalSeconds);

    private static void Right() => SystemCalls.Clock(0, 0);
}
