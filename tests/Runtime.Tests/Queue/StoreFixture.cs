using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>A store of a test's own with two queues, of small segments.</summary>
public abstract class StoreFixture : IDisposable
{
    internal static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, StallTimeout = TimeSpan.FromSeconds(30) };

    private protected StoreFixture()
    {
        Store = MappedStore.Open(Path.Combine(Site.Root, "store"), Small);
        From = Store.OpenQueue<Note>("from");
        To = Store.OpenQueue<Note>("to");
    }

    internal Site Site { get; } = new();

    internal MappedStore Store { get; }

    internal MappedQueue<Note> From { get; }

    internal MappedQueue<Note> To { get; }

    internal void Fill(int count)
    {
        for (int id = 0; id < count; id++)
        {
            From.Enqueue(QueueFixture.Of(id));
        }
    }

    internal static long[] Drain(MappedQueue<Note> queue) => QueueFixture.Drain(queue);

    internal long Waiting(MappedQueue<Note> queue) => queue.GetStatus().Subscriptions.Single(static one => one.Name == "default").Lag;

    public void Dispose()
    {
        Store.Dispose();
        Site.Dispose();
        GC.SuppressFinalize(this);
    }
}
