using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A directory of a test's own, and queues in it with small segments.</summary>
public abstract class QueueFixture : IDisposable
{
    private readonly List<MappedQueue<Note>> _opened = [];

    internal Site Site { get; } = new();

    // Disposed at the latest with the fixture, before the directory goes.
    internal MappedQueue<Note> Open(QueueOptions? options = null)
    {
        var queue = MappedQueue<Note>.Open(Site.Queue, options ?? new QueueOptions { SegmentSize = 1 << 16 });
        lock (_opened)
        {
            _opened.Add(queue);
        }
        return queue;
    }

    internal static Note Of(long id, int length = 0) => new()
    {
        Id = id,
        Text = length == 0 ? $"note {id}" : new string((char)('a' + (id % 26)), length),
    };

    internal static Lease<Note> Receive(Subscription<Note> subscription, long id, int attempt)
    {
        Assert.True(subscription.TryReceive(out Lease<Note> lease));
        Note? note = null;
        lease.ReadInto(ref note);
        Assert.Equal((id, attempt), (note!.Id, lease.Attempt));
        return lease;
    }

    internal static int NextOf(Subscription<Note> subscription)
    {
        Note? note = null;
        Assert.True(subscription.TryPeek(ref note));
        return (int)note!.Id;
    }

    internal MappedQueue<Note> Filled(int count)
    {
        MappedQueue<Note> queue = Open();
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(Of(id));
        }
        return queue;
    }

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

    // In order; not those that have no name of a segment yet, or no more, because a system deletes no mapped file.
    internal string[] SegmentFiles() => SegmentFilesIn(Site.Queue);

    internal static string[] SegmentFilesIn(string directory) => [.. Directory.GetFiles(directory, StoreFormat.SegmentPrefix + "*")
        .Where(static path => !path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal)).Order(StringComparer.Ordinal)];

    /// <summary>Until who has just looked at the dead looks again: when the system's clock has moved, by 1 to 16 ms.</summary>
    internal static void AwaitClock()
    {
        long began = Environment.TickCount64;
        Assert.True(
            SpinWait.SpinUntil(() => Environment.TickCount64 > began, TimeSpan.FromSeconds(10)), "The system's clock stands still.");
    }

    // A mapping or descriptor that a background thread is just giving back may still be seen for a moment.
    internal void AssertNothingOpen()
        => Assert.True(SpinWait.SpinUntil(() => OpenFiles().Count == 0, TimeSpan.FromSeconds(5)), string.Join("\n", OpenFiles()));

    // Only Linux tells.
    internal void AssertSomethingOpen() => Assert.True(!OperatingSystem.IsLinux() || OpenFiles().Count > 0);

    // What this process has open or mapped of the queue's directory.
    internal List<string> OpenFiles() => Site.OpenFiles(Site.Queue);

    public void Dispose()
    {
        _opened.ForEach(static queue => queue.Dispose());
        Site.Dispose();
        GC.SuppressFinalize(this);
    }
}
