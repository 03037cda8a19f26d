using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Bench.Workloads;

/// <summary>A queue with many messages that nobody consumes, filled when first asked for and shared by the rows that need it.</summary>
/// <param name="messages">How many.</param>
/// <param name="size">Bytes of each.</param>
/// <param name="onDisk">Whether it is on a disk, instead of in shared memory.</param>
/// <param name="batch">How many are enqueued together; 1 for each by itself.</param>
internal sealed class DeepQueue<T>(long messages, int size, bool onDisk, int batch = 64) : IDisposable where T : class, IBenchMessage<T>
{
    private Place? _place;

    /// <summary>How many messages there are.</summary>
    public long Messages => messages;

    /// <summary>Where it is: what transports call the place.</summary>
    public string Place => (_place ??= Make()).Path;

    /// <summary>The queue's own directory.</summary>
    public string Directory => DirectoryIn(Place);

    public MappedQueue<T> Open() => MappedQueue<T>.Open(Directory);

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
        using var queue = MappedQueue<T>.Open(DirectoryIn(place.Path));
        T[] together = [.. Enumerable.Range(0, batch).Select(_ => T.Create(size))];
        for (long number = 0; number < messages;)
        {
            int count = (int)Math.Min(batch, messages - number);
            foreach (T message in together)
            {
                T.Stamp(message, number++);
            }
            if (batch == 1)
            {
                queue.Enqueue(in together[0]);
            }
            else
            {
                queue.EnqueueBatch(together.AsSpan(0, count));
            }
        }
        // Or the kernel goes on writing gigabytes beside the rows that are measured.
        if (onDisk)
        {
            queue.Flush();
        }
        return place;
    }
}

/// <summary>As many files as a deep queue on disk has segments, full of messages, made when first asked for.</summary>
internal sealed class DeepFiles(long bytes, int size) : IDisposable
{
    public const int FileSize = 64 << 20;

    private readonly int _count = (int)Math.Max(3, bytes / FileSize);
    private Place? _place;

    /// <summary>Maps one of them; after the last one the first follows.</summary>
    public MappedRegion Map(int number)
    {
        _place ??= Make();
        using SafeFileHandle file = File.OpenHandle(
            PathOf(_place, number % _count), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return new MappedRegion(file, FileSize);
    }

    public void Dispose()
    {
        _place?.Dispose();
        _place = null;
    }

    private static string PathOf(Place place, int number) => Path.Combine(place.Path, $"file-{number}");

    private Place Make()
    {
        var place = new Place(onDisk: true);
        byte[] message = new byte[size];
        Pattern.Fill(message);
        for (int number = 0; number < _count; number++)
        {
            using SafeFileHandle file = File.OpenHandle(
                PathOf(place, number), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);
            CurrentPlatform.Instance.Preallocate(file, FileSize);
            using var region = new MappedRegion(file, FileSize);
            for (long offset = 0; offset < FileSize; offset += size)
            {
                message.CopyTo(region.Bytes(offset, size));
            }
            RandomAccess.FlushToDisk(file);
        }
        return place;
    }
}
