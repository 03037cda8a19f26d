using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Depth;

/// <summary>A queue with many messages that nobody consumes, filled when first asked for and shared by the rows that need it.</summary>
internal sealed class DeepQueue<T>(long messages, int size, bool onDisk) : IDisposable where T : class, IBenchMessage<T>
{
    private const int Batch = 64;

    private Place? _place;

    /// <summary>Where it is: what transports call the place.</summary>
    public string Place => (_place ??= Make()).Path;

    public MappedQueue<T> Open() => MappedQueue<T>.Open(DirectoryIn(Place));

    /// <summary>By any of the rows that share it.</summary>
    public void Dispose()
    {
        _place?.Dispose();
        _place = null;
    }

    // Where a transport's receiver looks.
    private static string DirectoryIn(string place) => Path.Combine(place, "there");

    private Place Make()
    {
        var place = new Place(onDisk);
        using MappedQueue<T> queue = MappedQueue<T>.Open(DirectoryIn(place.Path));
        T[] batch = [.. Enumerable.Range(0, Batch).Select(_ => T.Create(size))];
        for (long number = 0; number < messages;)
        {
            int count = (int)Math.Min(Batch, messages - number);
            foreach (T message in batch)
            {
                message.Stamp(number++);
            }
            queue.EnqueueBatch(batch.AsSpan(0, count));
        }
        // Or the kernel goes on writing gigabytes beside the rows that are measured.
        if (onDisk)
        {
            queue.Flush();
        }
        return place;
    }
}
