using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>A queue of one process, on one thread.</summary>
[MemoryDiagnoser]
public class QueueBench
{
    private const int BatchSize = 64;

    private ScratchDirectory _scratch = null!;
    private MappedQueue<Small> _queue = null!;
    private Small _message = null!;
    private Small? _target;
    private Small[] _batch = null!;
    private Small?[] _targets = null!;
    private MappedQueue<Small> _unread = null!;
    private MappedQueue<Small> _leased = null!;
    private Subscription<Small> _subscription = null!;
    private readonly MessageProperties _label = new() { Label = "rush" };
    private readonly MessageProperties _read = new();

    /// <summary>Opens a queue in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _scratch = new ScratchDirectory(onDisk: false);
        _queue = MappedQueue<Small>.Open(Path.Combine(_scratch.Path, "queue"));
        _message = Small.Create();
        _target = Small.Create();
        _batch = new Small[BatchSize];
        Array.Fill(_batch, _message);
        _targets = [.. _batch.Select(static _ => Small.Create())];
        _unread = MappedQueue<Small>.Open(Path.Combine(_scratch.Path, "unread"), new QueueOptions { CreateDefaultSubscription = false });
        // Of its own: leases make every later call of a subscription look for what was given back.
        _leased = MappedQueue<Small>.CreateAnonymous();
        _subscription = _leased.Subscribe("default");
    }

    /// <summary>Deletes it.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _queue.Dispose();
        _unread.Dispose();
        _leased.Dispose();
        _scratch.Dispose();
    }

    /// <summary>One message in; nobody subscribes.</summary>
    [Benchmark]
    public void Enqueue() => _unread.Enqueue(in _message);

    /// <summary>One message in and out.</summary>
    [Benchmark]
    public bool Pair()
    {
        _queue.Enqueue(in _message);
        return _queue.TryDequeue(ref _target);
    }

    /// <summary>One message in; leased, unpacked and committed.</summary>
    [Benchmark]
    public bool Leased()
    {
        _leased.Enqueue(in _message);
        using Lease<Small> lease = _subscription.Receive();
        lease.ReadInto(ref _target);
        lease.Commit();
        return true;
    }

    /// <summary>One message in; leased, looked at in place and committed.</summary>
    [Benchmark]
    public double LeasedView()
    {
        _leased.Enqueue(in _message);
        using Lease<Small> lease = _subscription.Receive();
        using LeasedBytes bytes = lease.OpenBytes();
        double price = new Small.View(bytes.Span).Price;
        lease.Commit();
        return price;
    }

    /// <summary>64 messages in at once, and out at once.</summary>
    [Benchmark(OperationsPerInvoke = BatchSize)]
    public int Run()
    {
        _queue.EnqueueBatch(_batch);
        return _queue.TryDequeue(_targets);
    }

    /// <summary>The same with one short property, which is read.</summary>
    [Benchmark]
    public bool PairWithLabel()
    {
        _queue.Enqueue(in _message, _label);
        return _queue.TryDequeue(ref _target, _read);
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

/// <summary>Dequeueing alone, of what was enqueued before.</summary>
[MemoryDiagnoser]
public class DequeueBench
{
    private const int Count = 1 << 16;

    private ScratchDirectory _scratch = null!;
    private MappedQueue<Small> _queue = null!;
    private Small[] _batch = null!;
    private Small? _target;

    /// <summary>Opens a queue in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _scratch = new ScratchDirectory(onDisk: false);
        _queue = MappedQueue<Small>.Open(_scratch.Path);
        _batch = new Small[Count];
        Array.Fill(_batch, Small.Create());
        _target = Small.Create();
    }

    /// <summary>Deletes it.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _queue.Dispose();
        _scratch.Dispose();
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
