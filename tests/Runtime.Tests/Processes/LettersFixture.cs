using BlitQueue.Log;
using BlitQueue.Peer;

namespace BlitQueue.Tests.Processes;

/// <summary>A queue with dead letters, and processes that make them messages again.</summary>
public abstract class LettersFixture : IDisposable
{
    protected const int Count = 12;

    private protected Site Site { get; } = new();

    private protected string Letters => Site.File(StoreFormat.DeadLettersName("default"));

    protected static Subscription<Parcel> WithLetterOfAudit(MappedQueue<Parcel> queue)
    {
        Subscription<Parcel> audit = queue.Subscribe("audit");
        queue.Enqueue(new Parcel().Fill(1, Count, 100));
        audit.Receive().DeadLetter("no");
        return audit;
    }

    protected MappedQueue<Parcel> WithLetters(int count = Count, int size = 100)
    {
        var queue = MappedQueue<Parcel>.Open(Site.Queue, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, size));
            subscription.Receive().DeadLetter($"number {number}");
        }
        return queue;
    }

    protected void Die(string stepName, int time, string subscription = "default")
    {
        using var peer = Peer.StartToDie(
            Site, Enum.Parse<ProtocolStep>(stepName), time, "requeue", "subscription=" + subscription);
        peer.WaitForDeath();
    }

    protected static long[] Numbers(int first, int end) => [.. Enumerable.Range(first, end - first).Select(static number => (long)number)];

    protected static bool TryReceive(Subscription<Parcel> subscription, out DeadLetterLease<Parcel> lease)
    {
        DeadLetterLease<Parcel> taken = default;
        bool isTaken = SpinWait.SpinUntil(() => subscription.DeadLetters.TryReceive(out taken), TimeSpan.FromMilliseconds(200));
        lease = taken;
        return isTaken;
    }

    // So many, in the order in which they come, and then none.
    protected static long[] Drain(Subscription<Parcel> subscription, int count, bool isEnd = true)
    {
        var numbers = new List<long>();
        Parcel? parcel = null;
        while (numbers.Count < count && subscription.Dequeue(ref parcel, Peer.Patience))
        {
            Assert.True(parcel.IsIntact());
            numbers.Add(parcel.Number);
        }
        Assert.True(!isEnd || !subscription.Dequeue(ref parcel, TimeSpan.FromMilliseconds(100)));
        return [.. numbers];
    }

    protected static long[] TakeLetters(Subscription<Parcel> subscription)
    {
        var numbers = new List<long>();
        while (TryReceive(subscription, out DeadLetterLease<Parcel> lease))
        {
            Assert.True(lease.Read().Message.IsIntact());
            numbers.Add(lease.Read().Message.Number);
            lease.Commit();
        }
        return [.. numbers];
    }

    public void Dispose()
    {
        Site.Dispose();
        GC.SuppressFinalize(this);
    }
}
