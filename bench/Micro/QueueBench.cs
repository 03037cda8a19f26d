using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>A queue of one process, on one thread.</summary>
[MemoryDiagnoser]
public class QueueBench
{
    private const int BatchSize = 64;

    private Place _place = null!;
    private MappedQueue<Small> _queue = null!;
    private Small _message = null!;
    private Small? _target;
    private Small[] _batch = null!;

    /// <summary>Opens a queue in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _place = new Place(onDisk: false);
        _queue = MappedQueue<Small>.Open(_place.Path);
        _message = Small.Create();
        _target = Small.Create();
        _batch = new Small[BatchSize];
        Array.Fill(_batch, _message);
    }

    /// <summary>Deletes it.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _queue.Dispose();
        _place.Dispose();
    }

    /// <summary>One message in and out.</summary>
    [Benchmark]
    public bool Pair()
    {
        _queue.Enqueue(in _message);
        return _queue.TryDequeue(ref _target);
    }

    /// <summary>64 messages in at once, out one by one.</summary>
    [Benchmark(OperationsPerInvoke = BatchSize)]
    public int Batch()
    {
        _queue.EnqueueBatch(_batch);
        int got = 0;
        while (_queue.TryDequeue(ref _target))
        {
            got++;
        }
        return got;
    }
}
