using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>A directory of a test's own, and queues in it with small segments.</summary>
public abstract class QueueFixture : IDisposable
{
    internal Site Site { get; } = new();

    internal MappedQueue<Note> Open(QueueOptions? options = null) =>
        MappedQueue<Note>.Open(Site.Queue, options ?? new QueueOptions { SegmentSize = 1 << 16 });

    internal static Note Of(long id, int length = 0) => new() { Id = id, Text = length == 0 ? $"note {id}" : new string((char)('a' + (id % 26)), length) };

    internal static long[] Drain(MappedQueue<Note> queue)
    {
        List<long> ids = [];
        Note? note = null;
        while (queue.TryDequeue(ref note))
        {
            ids.Add(note!.Id);
        }
        return [.. ids];
    }

    public void Dispose()
    {
        Site.Dispose();
        GC.SuppressFinalize(this);
    }
}
