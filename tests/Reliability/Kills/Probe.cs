using System.Diagnostics;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// A producer that nobody kills and that does not wait for room: the longest time in which it could not enqueue is what the deaths of others
/// cost the living.
/// </summary>
internal sealed class Probe : IDisposable
{
    private readonly MappedQueue<Parcel> _queue;
    private readonly OwnLog _log;
    private readonly Thread _thread;
    private readonly Thread _canary;
    private volatile bool _ended;
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

    /// <summary>How often it was told that another process has the turn, and does not run.</summary>
    public long Stalls { get; private set; }

    private void Work()
    {
        var parcel = new Parcel();
        try
        {
            for (long number = 0; !_ended; number++)
            {
                Enqueue(parcel.Fill(_log.Number, number, 50 + (int)(number % 300)));
                _log.Enqueued(number);
                Thread.Sleep(1);
            }
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
    }

    private void Enqueue(Parcel parcel)
    {
        long began = Stopwatch.GetTimestamp();
        for (;;)
        {
            try
            {
                if (_queue.TryEnqueue(parcel))
                {
                    break;
                }
                // Full: what it waits for now is consumers.
                Thread.Sleep(1);
                began = Stopwatch.GetTimestamp();
            }
            catch (QueueStalledException) when (Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(30))
            {
                // Who has the turn is alive and does not run, or was killed and is not gone yet.
                Stalls++;
            }
        }
        TimeSpan took = Stopwatch.GetElapsedTime(began);
        Longest = took > Longest ? took : Longest;
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
        }
    }

    /// <summary>Ends it.</summary>
    /// <returns>What made it give up; null when nothing did.</returns>
    public Exception? End()
    {
        Dispose();
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
