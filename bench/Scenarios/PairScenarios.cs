using System.Diagnostics;
using System.Runtime.CompilerServices;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>One message in, the same message out, on one thread.</summary>
internal sealed class PairScenario<TPair>(string name, Role role, Func<string, TPair> open) : Scenario(name, role)
    where TPair : struct, IPair
{
    /// <summary>Messages for each look at the clock: fewer, where each takes long.</summary>
    public int BatchSize { get; init; } = 8192;

    public override Sample Measure(TimeSpan duration, string root)
    {
        TPair pair = open(root);
        try
        {
            return Run(ref pair, duration);
        }
        finally
        {
            pair.Dispose();
        }
    }

    private Sample Run(ref TPair pair, TimeSpan duration)
    {
        // A local, so that its parts are in registers, as a queue is in the loop of a user.
        TPair own = pair;
        var clock = new BatchClock(BatchSize);
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long started = Stopwatch.GetTimestamp();
        long number = 0;
        clock.Start();
        do
        {
            // Not in a method of its own: how much the JIT inlines grows with the size of the method that it begins with.
            for (int i = 0; i < BatchSize; i++)
            {
                Numbers.Expect(own.Deliver(number), number);
                number++;
            }
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        return new Sample(number, elapsed.TotalNanoseconds / number)
        {
            FirstNs = clock.FirstNs,
            SteadyNs = clock.MedianNs,
            AllocatedHere = (double)allocated / number,
        };
    }
}

/// <summary>
/// Something that a message goes into and comes out of on one thread. Structs implement it, so that the loop is compiled for each.
/// </summary>
internal interface IPair : IDisposable
{
    /// <summary>Passes a message through.</summary>
    /// <returns>The number of what came out.</returns>
    /// <exception cref="InvalidDataException">What came out is not whole.</exception>
    long Deliver(long number);
}

/// <summary>
/// One message of 64 bytes in, the same message out, on one thread of a process of its own, in which the library may have no instruments.
/// </summary>
internal sealed class PairElsewhereScenario(string name, Role role, bool isBare) : Scenario(name, role)
{
    private Worker? _worker;

    public override Sample Measure(TimeSpan duration, string root)
    {
        _worker ??= new Worker(isBare);
        _worker.Begin(new WorkerTask(WorkerJob.Pair, Transport: "", root, duration));
        return _worker.AwaitResult<Sample>();
    }

    public override void Dispose() => _worker?.Dispose();
}

/// <summary>Elements of memory that processes share, read or written one after the other on one thread of one process.</summary>
internal sealed class ElementScenario<TElements>(string name, Role role, Func<string, TElements> open) : Scenario(name, role)
    where TElements : struct, IElements
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        using TElements elements = open(Path.Combine(root, "elements"));
        var clock = new BatchClock(IElements.Count);
        long done = 0, allocated = GC.GetTotalAllocatedBytes(precise: true), started = Stopwatch.GetTimestamp();
        clock.Start();
        do
        {
            Numbers.Expect(elements.Go(), IElements.Sum);
            done += IElements.Count;
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        return new Sample(done, Stopwatch.GetElapsedTime(started).TotalNanoseconds / done)
        {
            FirstNs = clock.FirstNs,
            SteadyNs = clock.MedianNs,
            AllocatedHere = (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / done,
        };
    }
}

/// <summary>So many elements as <see cref="Count"/> says. Structs implement it, so that the loop is compiled for each.</summary>
internal interface IElements : IDisposable
{
    /// <summary>In the first-level cache, so that the memory's own time is not most of the figure.</summary>
    const int Count = 4096;

    /// <summary>0 + 1 + 2 and so on.</summary>
    const long Sum = (long)Count * (Count - 1) / 2;

    /// <summary>Reads each, or writes each.</summary>
    /// <returns>The sum of all.</returns>
    long Go();
}

/// <summary>Numbers in a mapped file, by a pointer.</summary>
internal readonly unsafe struct BareElements : IElements
{
    private readonly SharedBytes _bytes;
    private readonly bool _writes;

    public BareElements(string path, bool writes)
    {
        (_bytes, _writes) = (new SharedBytes(path, IElements.Count * sizeof(long)), writes);
        Write((long*)_bytes.Start);
    }

    public long Go() => _writes ? Write((long*)_bytes.Start) : Read((long*)_bytes.Start);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Read(long* numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            sum += numbers[i];
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Write(long* numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            numbers[i] = i;
            sum += i;
        }
        return sum;
    }

    public void Dispose() => _bytes.Dispose();
}

/// <summary>An index that is compared with a length, over a bare pointer: as little as an object with an index can do.</summary>
internal sealed unsafe class CheckedNumbers(long* first, int length)
{
    private readonly long* _first = first;
    private readonly int _length = length;

    public ref long this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            long* first = _first;
            if ((uint)index >= (uint)_length)
            {
                throw new IndexOutOfRangeException();
            }
            return ref first[(uint)index];
        }
    }
}

/// <summary>Numbers in a mapped file, by <see cref="CheckedNumbers"/>.</summary>
internal readonly unsafe struct CheckedElements : IElements
{
    private readonly SharedBytes _bytes;
    private readonly CheckedNumbers _numbers;
    private readonly bool _writes;

    public CheckedElements(string path, bool writes)
    {
        (_bytes, _writes) = (new SharedBytes(path, IElements.Count * sizeof(long)), writes);
        _numbers = new CheckedNumbers((long*)_bytes.Start, IElements.Count);
        Write(_numbers);
    }

    public long Go() => _writes ? Write(_numbers) : Read(_numbers);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Read(CheckedNumbers numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            sum += numbers[i];
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Write(CheckedNumbers numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            numbers[i] = i;
            sum += i;
        }
        return sum;
    }

    public void Dispose() => _bytes.Dispose();
}

/// <summary>The same in a <see cref="SharedArray{T}"/>, by index.</summary>
internal readonly struct ArrayElements : IElements
{
    private readonly SharedArray<long> _array;
    private readonly bool _writes;

    public ArrayElements(string path, bool writes)
    {
        (_array, _writes) = (SharedArray<long>.OpenFile(path, IElements.Count), writes);
        Write(_array);
    }

    public long Go() => _writes ? Write(_array) : Read(_array);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Read(SharedArray<long> numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            sum += numbers[i];
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Write(SharedArray<long> numbers)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            numbers[i] = i;
            sum += i;
        }
        return sum;
    }

    public void Dispose() => _array.Dispose();
}

/// <summary>A value of 64 bytes, read or written whole each time.</summary>
internal readonly struct ValueElements : IElements
{
    private readonly SharedValue<Line> _value;
    private readonly bool _writes;

    public ValueElements(string path, bool writes)
    {
        (_value, _writes) = (SharedValue<Line>.OpenFile(path), writes);
        Write(_value);
    }

    public long Go() => _writes ? Write(_value) : Read(_value);

    // The value is the last one that was written.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Read(SharedValue<Line> value)
    {
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            sum += value.Read()[Line.Length - 1] - (IElements.Count - 1) + i;
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Write(SharedValue<Line> value)
    {
        var line = new Line();
        long sum = 0;
        for (int i = 0; i < IElements.Count; i++)
        {
            line[Line.Length - 1] = i;
            value.Write(line);
            sum += i;
        }
        return sum;
    }

    public void Dispose() => _value.Dispose();

    [InlineArray(Length)]
    private struct Line
    {
        public const int Length = 8;

        private long _first;
    }
}
