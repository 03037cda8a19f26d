using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>Dequeueing alone, of what was enqueued before.</summary>
[MemoryDiagnoser]
public class DequeueBench
{
    private const int Count = 1 << 16;

    private Place _place = null!;
    private MappedQueue<Small> _queue = null!;
    private Small[] _batch = null!;
    private Small? _target;

    /// <summary>Opens a queue in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _place = new Place(onDisk: false);
        _queue = MappedQueue<Small>.Open(_place.Path);
        _batch = new Small[Count];
        Array.Fill(_batch, Small.Create());
        _target = Small.Create();
    }

    /// <summary>Deletes it.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _queue.Dispose();
        _place.Dispose();
    }

    /// <summary>Enqueues what is dequeued next.</summary>
    [IterationSetup]
    public void Fill() => _queue.EnqueueBatch(_batch);

    /// <summary>One message out.</summary>
    [Benchmark(OperationsPerInvoke = Count)]
    public int Dequeue()
    {
        int got = 0;
        while (_queue.TryDequeue(ref _target))
        {
            got++;
        }
        return got;
    }
}
