using System.Buffers.Text;
using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Checker;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// A producer that nobody kills and that does not wait for room: the longest time in which it could not enqueue is what
/// the deaths of others cost the living.
/// </summary>
internal sealed class Probe : IDisposable
{
    private const int Burst = 64, LargeSize = 30_000;

    // Of these it is looked whether the machine let an idle thread wait meanwhile.
    private const long LongCall = 1_000_000;

    private readonly List<(Times Call, long Nanoseconds)> _longCalls = [];
    private readonly List<Times> _late = [];
    private readonly MappedQueue<Parcel> _queue;
    private readonly OwnLog _log;
    private readonly Thread _thread;
    private readonly Thread _canary;
    private volatile bool _ended;
    private ProcessorWaits? _waits;
    private Exception? _failure;

    public Probe(MappedQueue<Parcel> queue, OwnLog log)
    {
        (_queue, _log) = (queue, log);
        _thread = new Thread(Work) { IsBackground = true, Name = "probe" };
        _canary = new Thread(Sleep) { IsBackground = true, Name = "canary" };
        _thread.Start();
        _canary.Start();
    }

    public TimeSpan Longest { get; private set; }

    /// <summary>How much later than asked for a thread that does nothing was woken: what the machine's load alone costs.</summary>
    public TimeSpan Load { get; private set; }

    /// <summary>How long each TryEnqueue took, in nanoseconds.</summary>
    public LatencyHistogram All { get; } = new();

    /// <summary>Those during which no idle thread was woken late; known at the end.</summary>
    public LatencyHistogram Calm { get; } = new();

    /// <summary>How long each took but for the time in which its thread was ready to run and no processor was free.</summary>
    public LatencyHistogram Served { get; } = new();

    /// <summary>How long the calls' thread was ready to run during one of them, and no processor was free.</summary>
    public LatencyHistogram Unserved { get; } = new();

    /// <summary>How often it was told that another process holds the append lock, and does not run.</summary>
    public long Stalls { get; private set; }

    private void Work()
    {
        var parcel = new Parcel();
        using (_waits = new ProcessorWaits())
        {
            try
            {
                for (long number = 0; !_ended; number++)
                {
                    // Every now and then as many as the machine can, and one that fills half a segment.
                    bool fast = number / Burst % 4 == 3;
                    Enqueue(parcel.Fill(_log.Number, number, number % Burst == 0 ? LargeSize : 50 + (int)(number % 300)));
                    _log.Enqueued(number);
                    if (!fast)
                    {
                        Thread.Sleep(1);
                    }
                }
            }
            catch (Exception exception)
            {
                _failure = exception;
            }
        }
    }

    private void Enqueue(Parcel parcel)
    {
        long began = Stopwatch.GetTimestamp(), first = began;
        while (!TryEnqueue(parcel, first, out bool full))
        {
            if (full)
            {
                // What it waits for now is consumers.
                Thread.Sleep(1);
                began = Stopwatch.GetTimestamp();
            }
        }
        TimeSpan took = Stopwatch.GetElapsedTime(began);
        Longest = took > Longest ? took : Longest;
    }

    private bool TryEnqueue(Parcel parcel, long first, out bool full)
    {
        full = false;
        TimeSpan waited = _waits!.SoFar;
        long began = Stopwatch.GetTimestamp();
        try
        {
            bool enqueued = _queue.TryEnqueue(parcel);
            full = !enqueued;
            return enqueued;
        }
        catch (QueueStalledException exception) when (Stopwatch.GetElapsedTime(first) < TimeSpan.FromSeconds(30))
        {
            // For the checker to explain.
            Stalls++;
            _log.Happened('X', began, $"produce - {nameof(QueueStalledException)} {exception.Message}");
            return false;
        }
        finally
        {
            var call = new Times(began, Stopwatch.GetTimestamp());
            Measure(call, _waits.SoFar - waited);
        }
    }

    private void Measure(Times call, TimeSpan waited)
    {
        long nanoseconds = (long)(Times.Milliseconds(call.Ended - call.Began) * 1_000_000);
        All.Record(nanoseconds);
        Unserved.Record((long)waited.TotalNanoseconds);
        Served.Record(Math.Max(0, nanoseconds - (long)waited.TotalNanoseconds));
        if (nanoseconds < LongCall)
        {
            Calm.Record(nanoseconds);
        }
        else
        {
            _longCalls.Add((call, nanoseconds));
        }
    }

    private void Sleep()
    {
        var nap = TimeSpan.FromMilliseconds(5);
        while (!_ended)
        {
            long began = Stopwatch.GetTimestamp();
            Thread.Sleep(nap);
            TimeSpan late = Stopwatch.GetElapsedTime(began) - nap;
            Load = late > Load ? late : Load;
            if (late > nap)
            {
                _late.Add(new Times(began, Stopwatch.GetTimestamp()));
                _log.Happened('H', began, "-");
            }
        }
    }

    /// <summary>Ends it.</summary>
    /// <returns>What made it give up; null when nothing did.</returns>
    public Exception? End()
    {
        Dispose();
        foreach ((Times call, long nanoseconds) in _longCalls.Where(call => !_late.Exists(call.Call.Overlaps)))
        {
            Calm.Record(nanoseconds);
        }
        return _failure;
    }

    public void Dispose()
    {
        _ended = true;
        _thread.Join();
        _canary.Join();
        _log.Dispose();
    }
}

/// <summary>
/// How long the thread that makes this was ready to run, and no processor was free: the machine's share of how long its calls took. Zero
/// where the system does not tell.
/// </summary>
internal sealed class ProcessorWaits : IDisposable
{
    // Of the thread that opens it: nanoseconds on a processor, nanoseconds ready to run but on none, and how often it was given one.
    private readonly SafeFileHandle? _statistics = OperatingSystem.IsLinux() ? File.OpenHandle("/proc/thread-self/schedstat") : null;

    /// <summary>Since the thread began; the one that it waits in now is not counted yet.</summary>
    public TimeSpan SoFar
    {
        get
        {
            if (_statistics is null)
            {
                return TimeSpan.Zero;
            }
            Span<byte> text = stackalloc byte[96];
            text = text[..RandomAccess.Read(_statistics, text, 0)];
            text = text[(text.IndexOf((byte)' ') + 1)..];
            return Utf8Parser.TryParse(text, out long nanoseconds, out _)
                ? TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick)
                : TimeSpan.Zero;
        }
    }

    public void Dispose() => _statistics?.Dispose();
}
