using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Micro;

/// <summary>Shared objects in one process, on one thread, beside a pointer into a mapped file.</summary>
public unsafe class SharedBench
{
    // In the second-level cache, so that the memory's own time is not most of the figure.
    private const int Length = 4096;

    private ScratchDirectory _scratch = null!;
    private SharedBytes _bytes = null!;
    private long* _bare;
    private SharedArray<long> _array = null!;
    private SharedValue<Line> _value = null!;
    private SharedMutex _mutex = null!;
    private SharedReaderWriterLock _lock = null!;
    private Line _line;

    /// <summary>Opens them in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _scratch = new ScratchDirectory(onDisk: false);
        _bytes = new SharedBytes(Path.Combine(_scratch.Path, "bare"), Length * sizeof(long));
        _bare = (long*)_bytes.Start;
        _array = SharedArray<long>.OpenFile(Path.Combine(_scratch.Path, "array"), Length);
        _value = SharedValue<Line>.OpenFile(Path.Combine(_scratch.Path, "value"));
        _mutex = SharedMutex.OpenFile(Path.Combine(_scratch.Path, "mutex"));
        _lock = SharedReaderWriterLock.OpenFile(Path.Combine(_scratch.Path, "lock"));
        for (int i = 0; i < Length; i++)
        {
            _bare[i] = _array[i] = i;
            _line[i & 7] = i;
        }
    }

    /// <summary>Deletes them.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _bytes.Dispose();
        _array.Dispose();
        _value.Dispose();
        _mutex.Dispose();
        _lock.Dispose();
        _scratch.Dispose();
    }

    /// <summary>An element read by a pointer into a mapping.</summary>
    [Benchmark(OperationsPerInvoke = Length)]
    public long BareRead()
    {
        long* bare = _bare;
        long sum = 0;
        for (int i = 0; i < Length; i++)
        {
            sum += bare[i];
        }
        return sum;
    }

    /// <summary>An element read by its index.</summary>
    [Benchmark(OperationsPerInvoke = Length)]
    public long ArrayRead()
    {
        SharedArray<long> array = _array;
        long sum = 0;
        for (int i = 0; i < Length; i++)
        {
            sum += array[i];
        }
        return sum;
    }

    /// <summary>An element read by way of the span.</summary>
    [Benchmark(OperationsPerInvoke = Length)]
    public long SpanRead()
    {
        long sum = 0;
        foreach (long element in _array.Span)
        {
            sum += element;
        }
        return sum;
    }

    /// <summary>An element written by a pointer into a mapping.</summary>
    [Benchmark(OperationsPerInvoke = Length)]
    public void BareWrite()
    {
        long* bare = _bare;
        for (int i = 0; i < Length; i++)
        {
            bare[i] = i;
        }
    }

    /// <summary>An element written by its index.</summary>
    [Benchmark(OperationsPerInvoke = Length)]
    public void ArrayWrite()
    {
        SharedArray<long> array = _array;
        for (int i = 0; i < Length; i++)
        {
            array[i] = i;
        }
    }

    /// <summary>A value of 64 bytes, read.</summary>
    [Benchmark]
    public long ValueRead() => _value.Read()[7];

    /// <summary>A value of 64 bytes, written.</summary>
    [Benchmark]
    public long ValueWrite() => _value.Write(_line);

    /// <summary>A mutex taken and released.</summary>
    [Benchmark]
    public void Mutex() => _mutex.Acquire().Dispose();

    /// <summary>A lock taken for reading and released.</summary>
    [Benchmark]
    public void LockRead() => _lock.AcquireRead().Dispose();

    /// <summary>A lock taken for writing and released.</summary>
    [Benchmark]
    public void LockWrite() => _lock.AcquireWrite().Dispose();

    /// <summary>64 bytes.</summary>
    [InlineArray(8)]
    public struct Line
    {
        private long _first;
    }
}
