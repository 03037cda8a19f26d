using System.Diagnostics;
using System.Globalization;
using BlitQueue.Platform;

namespace BlitQueue.Peer;

/// <summary>
/// Round trips between two processes that sleep while they wait: one asks, the other answers. By queues that never spin, and on Windows by
/// two events of the system besides, for comparison.
/// </summary>
internal sealed class SleepWorker(Arguments arguments) : IDisposable
{
    public const string Prefix = "sleep-";

    private readonly MappedQueue<Parcel> _asks = Open(arguments.Directory + "-asks"), _answers = Open(arguments.Directory + "-answers");
    private readonly long _count = arguments.Number("count", 1000);

    public void Run()
    {
        switch (arguments.Command)
        {
            case "sleep-answer":
                Answer();
                break;
            case "sleep-first":
                SleepFirst();
                break;
            default:
                Ask();
                break;
        }
    }

    // Has woken nobody when it sleeps.
    private void SleepFirst()
    {
        Parcel? parcel = null;
        bool came = _asks.Dequeue(ref parcel, TimeSpan.FromMilliseconds(100));
        Console.WriteLine($"came {came}, fences others {CurrentPlatform.Instance.TryHeavyFence()}");
    }

    private void Answer()
    {
        Console.WriteLine("ready");
        Parcel? parcel = null;
        for (long i = 0; i < 2 * _count; i++)
        {
            _asks.Dequeue(ref parcel);
            _answers.Enqueue(in parcel);
        }
        if (OperatingSystem.IsWindows())
        {
            using EventWaitHandle ask = Event("ask"), answer = Event("answer");
            for (long i = 0; i < 2 * _count; i++)
            {
                ask.WaitOne();
                answer.Set();
            }
        }
    }

    // The first half of the trips is not counted: code is compiled, and processors wake up.
    private void Ask()
    {
        Console.WriteLine("ready");
        Parcel? parcel = new Parcel().Fill(1, 1, 16);
        Tell("queues", () =>
        {
            _asks.Enqueue(in parcel!);
            _answers.Dequeue(ref parcel);
        });
        if (OperatingSystem.IsWindows())
        {
            using EventWaitHandle ask = Event("ask"), answer = Event("answer");
            Tell("events", () =>
            {
                ask.Set();
                answer.WaitOne();
            });
        }
    }

    private void Tell(string by, Action trip)
    {
        long began = 0;
        for (long i = 0; i < 2 * _count; i++)
        {
            if (i == _count)
            {
                began = Stopwatch.GetTimestamp();
            }
            trip();
        }
        double microseconds = Stopwatch.GetElapsedTime(began).TotalMicroseconds / _count;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{by}: {microseconds:0.0} us for a round trip"));
    }

    private static EventWaitHandle Event(string name) =>
        new(initialState: false, EventResetMode.AutoReset, "BlitQueue-round-trips-" + name);

    private static MappedQueue<Parcel> Open(string path) =>
        MappedQueue<Parcel>.Open(path, new QueueOptions { SegmentSize = 1 << 20, SpinDuration = TimeSpan.Zero });

    public void Dispose()
    {
        _asks.Dispose();
        _answers.Dispose();
    }
}
