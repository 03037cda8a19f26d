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
    private ScratchDirectory? _scratch;

    /// <summary>How many messages there are.</summary>
    public long Messages => messages;

    /// <summary>Where it is: what transports call the root.</summary>
    public string Root => (_scratch ??= Make()).Path;

    /// <summary>The queue's own directory.</summary>
    public string Directory => DirectoryIn(Root);

    public MappedQueue<T> Open() => MappedQueue<T>.Open(Directory);

    /// <summary>By any of the rows that share it.</summary>
    public void Dispose()
    {
        _scratch?.Dispose();
        _scratch = null;
    }

    // Where a transport's receiver looks.
    private static string DirectoryIn(string root) => Path.Combine(root, "there");

    private ScratchDirectory Make()
    {
        var scratch = new ScratchDirectory(onDisk);
        using var queue = MappedQueue<T>.Open(DirectoryIn(scratch.Path));
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
        return scratch;
    }
}

/// <summary>As many files as a deep queue on disk has segments, full of messages, made when first asked for.</summary>
internal sealed class DeepFiles(long bytes, int size, bool onDisk) : IDisposable
{
    public const int FileSize = 64 << 20;

    private readonly int _count = (int)Math.Max(3, bytes / FileSize);
    private ScratchDirectory? _scratch;

    /// <summary>Maps one of them; after the last one the first follows.</summary>
    public MappedRegion Map(int number)
    {
        _scratch ??= Make();
        using SafeFileHandle file = File.OpenHandle(
            PathOf(_scratch, number % _count), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return new MappedRegion(file, FileSize);
    }

    public void Dispose()
    {
        _scratch?.Dispose();
        _scratch = null;
    }

    private static string PathOf(ScratchDirectory scratch, int number) => Path.Combine(scratch.Path, $"file-{number}");

    private ScratchDirectory Make()
    {
        var scratch = new ScratchDirectory(onDisk);
        byte[] message = new byte[size];
        Pattern.Fill(message);
        for (int number = 0; number < _count; number++)
        {
            using SafeFileHandle file = File.OpenHandle(
                PathOf(scratch, number), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);
            CurrentPlatform.Instance.Preallocate(file, FileSize);
            using var region = new MappedRegion(file, FileSize);
            for (long offset = 0; offset < FileSize; offset += size)
            {
                message.CopyTo(region.Bytes(offset, size));
            }
            RandomAccess.FlushToDisk(file);
        }
        return scratch;
    }
}
