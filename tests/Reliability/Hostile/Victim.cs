using System.Diagnostics;
using BlitQueue.Reliability.Corruption;

namespace BlitQueue.Reliability.Hostile;

/// <summary>Uses a queue in every way, and bears what the queue may throw.</summary>
internal sealed class Victim : IDisposable
{
    private static readonly QueueOptions Options = new()
    {
        SegmentSize = 1 << 16, StallTimeout = TimeSpan.FromMilliseconds(5), SpinDuration = TimeSpan.Zero,
    };

    private static long Refused, Done;

    private readonly string _path;
    private readonly QueueOptions _options;
    private MappedQueue<Evidence>? _queue;
    private Subscription<Evidence>? _subscription;
    private QueueCursor<Evidence>? _cursor;
    private Evidence? _message;

    public Victim(string path, bool hasChecksum)
    {
        _path = path;
        _options = Options with { UseChecksums = hasChecksum };
        MappedQueue<Evidence> queue = _queue = MappedQueue<Evidence>.Open(path, _options);
        queue.Subscribe("other").Dispose();
        for (int key = 0; key < 300; key++)
        {
            queue.Enqueue(Evidence.Of(key, 200));
        }
        queue.Enqueue(Evidence.Of(300, 70_000));
        Subscription();
        Cursor();
    }

    public static long TakeRefused() => Interlocked.Exchange(ref Refused, 0);

    public static long TakeDone() => Interlocked.Exchange(ref Done, 0);

    public void Work(TimeSpan time, Random random)
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < time)
        {
            try
            {
                Call(random);
                Done++;
            }
            catch (QueueException)
            {
                Refused++;
            }
            catch (InvalidOperationException exception) when (exception is not ObjectDisposedException
                && exception.StackTrace!.Contains("Lease", StringComparison.Ordinal))
            {
                // A lease whose cell was written over has ended.
                Refused++;
            }
        }
    }

    private void Call(Random random)
    {
        switch (random.Next(16))
        {
            case 0 when random.Next(8) == 0:
                Close();
                Open();
                break;
            case 0:
                // What one handle remembers of a segment another does not.
                MappedQueue<Evidence>.Open(_path, _options with { SegmentSize = null, UseChecksums = null }).Dispose();
                break;
            case 1 or 2 or 3:
                Open().TryEnqueue(Evidence.Of(random.Next(), random.Next(500)));
                break;
            case 4:
                Open().EnqueueBatch([Evidence.Of(1, 10), Evidence.Of(2, random.Next(2) == 0 ? 80_000 : 100), Evidence.Of(3, 10)]);
                break;
            case 5 or 6 or 7:
                Open().TryDequeue(ref _message);
                break;
            case 8 or 9:
                Lease(random);
                break;
            case 10:
                Cursor().TryRead(ref _message);
                break;
            case 11:
                Open().GetStatus();
                break;
            case 12:
                Open().TryPeek(ref _message);
                break;
            case 13:
                Subscription().SkipCorrupt();
                break;
            case 14:
                Subscription().Seek(random.Next(2) == 0 ? QueuePosition.Oldest : QueuePosition.Newest);
                break;
            default:
                using (var patience = new CancellationTokenSource(2))
                {
                    try
                    {
                        Subscription().Dequeue(ref _message, patience.Token);
                    }
                    catch (OperationCanceledException)
                    {
                    }
                }
                break;
        }
    }

    private void Lease(Random random)
    {
        if (!Subscription().TryReceive(out Lease<Evidence> lease))
        {
            return;
        }
        switch (random.Next(4))
        {
            case 0:
                lease.ReadInto(ref _message);
                lease.Commit();
                break;
            case 1:
                using (LeasedBytes bytes = lease.OpenBytes())
                {
                    long sum = 0;
                    foreach (byte value in bytes.Span)
                    {
                        sum += value;
                    }
                }
                lease.Commit();
                break;
            case 2:
                lease.Abandon();
                break;
        }
    }

    private MappedQueue<Evidence> Open()
        => _queue ??= MappedQueue<Evidence>.Open(_path, _options with { SegmentSize = null, UseChecksums = null });

    private Subscription<Evidence> Subscription() => _subscription ??= Open().Subscribe("other");

    private QueueCursor<Evidence> Cursor() => _cursor ??= Open().OpenCursor(QueuePosition.Oldest);

    private void Close()
    {
        _queue?.Dispose();
        (_queue, _subscription, _cursor) = (null, null, null);
    }

    public void Dispose() => Close();
}
