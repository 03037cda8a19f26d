using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Bench.Workloads;

/// <summary>Messages for a time: a sync takes as long as it takes.</summary>
internal sealed class DurableScenario(string name, Role role, Func<string, TimeSpan, DurableSample> measure) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        DurableSample sample = measure(Path.Combine(root, "messages"), duration);
        return new Sample(sample.Messages, sample.Time.TotalNanoseconds / sample.Messages) { PerSync = sample.PerSync };
    }
}

/// <summary>What one row did in one round.</summary>
internal readonly record struct DurableSample(long Messages, long Syncs, TimeSpan Time)
{
    /// <summary>Messages for each sync; null where there was none.</summary>
    public double? PerSync => Syncs == 0 ? null : (double)Messages / Syncs;
}

/// <summary>The loops of the messages that are on the disk when their enqueue returns, and of those beside them.</summary>
internal static class DurableLoops
{
    /// <summary>A bare msync of one page, without a queue.</summary>
    public static DurableSample Msync(string path, TimeSpan duration)
    {
        using var page = new SyncedPage(path);
        long started = Stopwatch.GetTimestamp(), count = 0;
        while (Stopwatch.GetElapsedTime(started) < duration)
        {
            page.WriteAndSync(count++);
        }
        return new DurableSample(count, count, Stopwatch.GetElapsedTime(started));
    }

    public static DurableSample Threads(string path, TimeSpan duration, Durability durability, int threads)
    {
        using MappedQueue<Fixed64> queue = Open(path, durability);
        // The clock costs as much as a message that waits for nothing.
        int looksAtClock = durability == Durability.Commit ? 1 : 64;
        long syncs = queue.Sync.Count, started = Stopwatch.GetTimestamp();
        long[] counts = new long[threads * 16];
        Thread[] all = [.. Enumerable.Range(0, threads)
            .Select(index => new Thread(() => counts[index * 16] = Produce(queue, started, duration, looksAtClock)))];
        Array.ForEach(all, static thread => thread.Start());
        Array.ForEach(all, static thread => thread.Join());
        return new DurableSample(counts.Sum(), queue.Sync.Count - syncs, Stopwatch.GetElapsedTime(started));
    }

    private static long Produce(MappedQueue<Fixed64> queue, long started, TimeSpan duration, int looksAtClock)
    {
        var message = new Fixed64();
        long count = 0;
        while (count % looksAtClock != 0 || Stopwatch.GetElapsedTime(started) < duration)
        {
            Fixed64.Stamp(message, count++);
            queue.Enqueue(in message);
        }
        return count;
    }

    public static DurableSample Awaited(string path, TimeSpan duration, int calls)
    {
        using MappedQueue<Fixed64> queue = Open(path, Durability.Commit);
        long syncs = queue.Sync.Count, started = Stopwatch.GetTimestamp();
        Task<long>[] all = [.. Enumerable.Range(0, calls).Select(_ => Task.Run(() => ProduceAwaited(queue, started, duration)))];
        long count = Task.WhenAll(all).GetAwaiter().GetResult().Sum();
        return new DurableSample(count, queue.Sync.Count - syncs, Stopwatch.GetElapsedTime(started));
    }

    private static async Task<long> ProduceAwaited(MappedQueue<Fixed64> queue, long started, TimeSpan duration)
    {
        var message = new Fixed64();
        long count = 0;
        while (Stopwatch.GetElapsedTime(started) < duration)
        {
            Fixed64.Stamp(message, count++);
            await queue.EnqueueAsync(message);
        }
        return count;
    }

    public static DurableSample Batches(string path, TimeSpan duration)
    {
        using MappedQueue<Fixed64> queue = Open(path, Durability.Commit);
        Fixed64[] batch = [.. Enumerable.Range(0, 64).Select(static _ => new Fixed64())];
        long syncs = queue.Sync.Count, started = Stopwatch.GetTimestamp(), count = 0;
        while (Stopwatch.GetElapsedTime(started) < duration)
        {
            foreach (Fixed64 message in batch)
            {
                Fixed64.Stamp(message, count++);
            }
            queue.EnqueueBatch(batch);
        }
        return new DurableSample(count, queue.Sync.Count - syncs, Stopwatch.GetElapsedTime(started));
    }

    // Without a subscription nothing is kept of what is passed: a capacity would end the row, the segments are many.
    private static MappedQueue<Fixed64> Open(string path, Durability durability) =>
        MappedQueue<Fixed64>.Open(path, new QueueOptions { Durability = durability, CreateDefaultSubscription = false });
}

/// <summary>
/// A preallocated file, written page after page as a log is, and synced: what the system asks for, and no queue around it.
/// </summary>
internal sealed class SyncedPage : IDisposable
{
    private const int Size = 64 << 20, Written = 80;

    private readonly SafeFileHandle _file;
    private readonly MappedRegion _region;

    public SyncedPage(string path)
    {
        _file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);
        CurrentPlatform.Instance.Preallocate(_file, Size);
        _region = new MappedRegion(_file, Size);
        RandomAccess.FlushToDisk(_file);
    }

    /// <summary>As many bytes as a message of 64 takes in a log.</summary>
    public void WriteAndSync(long number)
    {
        long start = number * Written % (Size - Written);
        _region.Bytes(start, Written).Fill((byte)number);
        _region.Sync(start, start + Written);
    }

    public void Dispose()
    {
        _region.Dispose();
        _file.Dispose();
    }
}
