using System.Diagnostics;
using BlitQueue.Checker;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>The test's own end of a queue, on which others die: it must be able to go on at once.</summary>
internal sealed class Survivor : IDisposable
{
    /// <summary>This producer's number in the history.</summary>
    public const int Producer = 1000;

    private const int Filler = 1001;

    /// <summary>By design 100 ms; the machine may be shared, so only what cannot be a matter of load fails a test.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(1);

    private readonly MappedQueue<Parcel> _queue;
    private readonly Subscription<Parcel> _subscription;
    private readonly Parcel _parcel = new();
    private long _number;
    private long _ownDelivered;

    public Survivor(Site site, QueueOptions? options = null)
    {
        _queue = MappedQueue<Parcel>.Open(site.Queue, options ?? new QueueOptions { SegmentSize = 1 << 16, UseChecksums = true });
        _subscription = _queue.Subscribe("default");
    }

    public History History { get; } = new();

    public TimeSpan Worst { get; private set; }

    public MappedQueue<Parcel> Queue => _queue;

    /// <summary>Enqueues a message and takes one, so that code which runs first later is not compiled while it is measured.</summary>
    public Survivor WarmUp()
    {
        Enqueue();
        Drain();
        return this;
    }

    /// <summary>Enqueues once and measures how long that takes.</summary>
    public TimeSpan GoOn()
    {
        long started = Stopwatch.GetTimestamp();
        Enqueue();
        TimeSpan took = Stopwatch.GetElapsedTime(started);
        Worst = took > Worst ? took : Worst;
        Assert.True(took < Limit, $"An enqueue after another process's death took {took.TotalMilliseconds:0} ms.");
        return took;
    }

    public void Enqueue()
    {
        _queue.Enqueue(_parcel.Fill(Producer, _number, 200));
        History.Enqueued(Producer, _number++);
    }

    public void TryEnqueue()
    {
        Assert.True(_queue.TryEnqueue(_parcel.Fill(Producer, _number, 200)));
        History.Enqueued(Producer, _number++);
    }

    /// <summary>Enqueues so much that it fills about ten segments of 64 KiB.</summary>
    public void FillSegments()
    {
        for (long number = 0; number < 200; number++)
        {
            _queue.Enqueue(_parcel.Fill(Filler, number, 3000));
            History.Enqueued(Filler, number);
        }
    }

    /// <summary>Likewise, and takes them out again, so that the segments are used anew.</summary>
    public void FillAndDrainSegments()
    {
        for (int i = 0; i < 600; i++)
        {
            Enqueue();
        }
        Drain();
    }

    /// <summary>Takes and commits all that is there, with leases, which tell a redelivery.</summary>
    public void Drain()
    {
        Parcel? parcel = null;
        for (int idle = 0; idle < 6; Thread.Sleep(idle))
        {
            idle++;
            while (_subscription.TryReceive(out Lease<Parcel> lease))
            {
                idle = 0;
                lease.ReadInto(ref parcel);
                if (!parcel!.IsIntact())
                {
                    History.Torn("survivor", parcel.Producer, parcel.Number);
                }
                _ownDelivered += parcel.Producer == Producer ? 1 : 0;
                History.Leased("survivor", parcel.Producer, parcel.Number, lease.Attempt);
                lease.Commit();
                History.Committed(parcel.Producer, parcel.Number, lease.Attempt);
            }
        }
    }

    /// <summary>While others are stopped: what was enqueued here must have come through to here.</summary>
    public void AssertNotDelayed() => Assert.Equal(_number, _ownDelivered);

    public void Report(ITestOutputHelper output) =>
        output.WriteLine($"The survivor's worst enqueue took {Worst.TotalMilliseconds:0.0} ms.");

    public void AssertNoFaults()
    {
        IReadOnlyList<string> faults = History.Faults();
        Assert.True(faults.Count == 0, $"{faults.Count} faults in {History.Deliveries} deliveries:\n{string.Join("\n", faults.Take(20))}");
    }

    public void Dispose() => _queue.Dispose();
}
