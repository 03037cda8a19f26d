using System.Diagnostics;
using BlitQueue;

namespace Quickstart;

/// <summary>The process that takes lines from the queue and rebuilds their files.</summary>
internal sealed class Consumer : IDisposable
{
    /// <summary>Makes this program the consumer.</summary>
    public const string Verb = "--consumer";

    private readonly Workspace _workspace;
    private readonly Scoreboard _scores;
    private readonly MappedQueue<TextLine> _queue;
    private readonly Subscription<TextLine> _lines;
    private readonly RebuiltFiles _files;
    private readonly AllocationMeter _meter = new();

    // One message object for all lines: ReadInto fills it again and again.
    private TextLine? _line;
    private long _reachedBytes;

    private Consumer(Workspace workspace)
    {
        _workspace = workspace;
        _scores = new Scoreboard(workspace);
        _queue = Lines.Open(workspace);
        _lines = _queue.Subscribe("default");
        _files = new RebuiltFiles(workspace.Rebuilt);
    }

    public static int Start(Workspace workspace)
    {
        using var lifeline = new Lifeline();
        using var consumer = new Consumer(workspace);
        consumer.Run();
        return 0;
    }

    public void Dispose()
    {
        _files.Dispose();
        _lines.Dispose();
        _queue.Dispose();
        _scores.Dispose();
    }

    private void Run()
    {
        _reachedBytes = _scores[Score.Rebuilt];
        _meter.Lap();
        do
        {
            Consume();
        }
        while (_line!.Kind != LineKind.EndOfInput);

        _scores[Score.ConsumerEnded] = Stopwatch.GetTimestamp();
        _files.Prove(_workspace.RebuiltManifest);
    }

    // Killed before Commit, the message goes to the next consumer, which writes the same bytes to the same place.
    private void Consume()
    {
        using Lease<TextLine> lease = _lines.Receive();
        _scores.StartClock(Score.ConsumerStarted);
        _scores.Add(Score.LeaseAllocated, _meter.Lap());

        lease.ReadInto(ref _line);
        _scores.Add(Score.UnpackAllocated, _meter.Lap());

        bool isNew = _files.Write(_line!);
        _scores.Add(Score.WriteAllocated, _meter.Lap());
        Count(isNew, lease.Attempt);

        lease.Commit();
        _scores.Add(Score.Consumed, 1);
        _scores[Score.Rebuilt] = _reachedBytes;
    }

    // What a killed consumer had written but not committed is there already, and yet no duplicate.
    private void Count(bool isNew, int attempt)
    {
        bool isRedelivered = attempt > 1;
        bool isDuplicate = !isNew && !isRedelivered;
        _scores.Add(Score.Redelivered, isRedelivered ? 1 : 0);
        _scores.Add(Score.Duplicates, isDuplicate ? 1 : 0);
        _reachedBytes += isDuplicate ? 0 : _line!.End - _line.Start;
        _scores[Score.Reached] = _reachedBytes;
        _scores.WaitForLimit(_reachedBytes);
    }
}
