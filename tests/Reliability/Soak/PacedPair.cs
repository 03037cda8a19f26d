using System.Diagnostics;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Reliability.Soak;

/// <summary>
/// Messages at a fixed rate from one thread to another, each with a handle of its own. Both times are measured from when a message was
/// meant to be sent, so that a pause is counted for each message that it held up, and not once.
/// </summary>
internal sealed class PacedPair : IDisposable
{
    private const int Rate = 500;

    private static readonly long Interval = Stopwatch.Frequency / Rate;

    private readonly MappedQueue<Parcel> _sending, _receiving;
    private readonly Thread _sender, _receiver;
    private readonly CancellationTokenSource _ended = new();
    private readonly long _begin = Stopwatch.GetTimestamp() + Stopwatch.Frequency;
    private Exception? _failure;

    public PacedPair(string path, QueueOptions options)
    {
        (_sending, _receiving) = (MappedQueue<Parcel>.Open(path, options), MappedQueue<Parcel>.Open(path, options));
        (_sender, _receiver) = (new Thread(Send) { IsBackground = true, Name = "paced sender" },
            new Thread(Receive) { IsBackground = true, Name = "paced receiver" });
        _receiver.Start();
        _sender.Start();
    }

    public LatencyHistogram Enqueue { get; } = new();

    public LatencyHistogram EndToEnd { get; } = new();

    public long Sent { get; private set; }

    public long Received { get; private set; }

    private void Send()
    {
        var parcel = new Parcel();
        try
        {
            for (; !_ended.IsCancellationRequested; Sent++)
            {
                long intended = Intended(Sent);
                while (Stopwatch.GetTimestamp() is var now && now < intended)
                {
                    Thread.Sleep(intended - now > 2 * Interval / 3 ? 1 : 0);
                }
                _sending.Enqueue(parcel.Fill(1, Sent, 64));
                Enqueue.Record(Nanoseconds(intended));
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }

    private void Receive()
    {
        Parcel? parcel = null;
        try
        {
            for (; ; Received++)
            {
                _receiving.Dequeue(ref parcel, _ended.Token);
                if (parcel!.Number != Received || !parcel.IsIntact())
                {
                    throw new InvalidOperationException($"Message {parcel.Number} came instead of {Received}, or it is torn.");
                }
                EndToEnd.Record(Nanoseconds(Intended(parcel.Number)));
            }
        }
        catch (OperationCanceledException)
        {
            while (_receiving.TryDequeue(ref parcel))
            {
                Received++;
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }

    private long Intended(long number) => _begin + (number * Interval);

    private static long Nanoseconds(long since) => (long)Stopwatch.GetElapsedTime(since).TotalNanoseconds;

    /// <summary>Ends both.</summary>
    /// <returns>What went wrong; null when nothing did.</returns>
    public string? End()
    {
        _ended.Cancel();
        _sender.Join();
        _receiver.Join();
        // What was sent while the receiver was on its way out.
        for (Parcel? parcel = null; _receiving.TryDequeue(ref parcel); Received++)
        {
        }
        return _failure?.ToString() ?? (Sent == Received ? null : $"{Sent} messages were sent at a fixed rate, and {Received} came");
    }

    public void Dispose()
    {
        _ended.Cancel();
        _sender.Join();
        _receiver.Join();
        _sending.Dispose();
        _receiving.Dispose();
        _ended.Dispose();
    }
}
