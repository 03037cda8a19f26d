using System.Diagnostics;
using System.Text;
using System.Text.Unicode;
using BlitQueue;

namespace Quickstart;

/// <summary>The process that reads files and enqueues their lines.</summary>
internal sealed class Producer : IDisposable
{
    /// <summary>Makes this program the producer.</summary>
    public const string Verb = "--producer";

    private readonly Workspace _workspace;
    private readonly Scoreboard _scores;
    private readonly Manifest _sent;
    private readonly MappedQueue<TextLine> _queue;
    private readonly LineReader _reader = new();
    private readonly AllocationMeter _meter = new();

    // One message object for all lines: Enqueue keeps nothing of it.
    private readonly TextLine _line = new();
    private long _finishedBytes, _sentBytes;

    private Producer(Workspace workspace)
    {
        _workspace = workspace;
        _scores = new Scoreboard(workspace);
        _sent = new Manifest(workspace.SentManifest);
        _queue = Lines.Open(workspace);
    }

    public static int Start(Workspace workspace)
    {
        using var lifeline = new Lifeline();
        using var producer = new Producer(workspace);
        producer.Run();
        return 0;
    }

    public void Dispose()
    {
        _reader.Dispose();
        _queue.Dispose();
        _sent.Dispose();
        _scores.Dispose();
    }

    private void Run()
    {
        _scores.StartClock(Score.ProducerStarted);
        _meter.Lap();
        foreach (InputFile file in Input.Load(_workspace))
        {
            if (!_sent.Proofs.ContainsKey(file.Name))
            {
                Send(file);
            }
            _finishedBytes += file.Length;
        }
        EnqueueMark(LineKind.EndOfInput, file: null, length: 0);
        _scores[Score.ProducerEnded] = Stopwatch.GetTimestamp();
    }

    private void Send(InputFile file)
    {
        try
        {
            _reader.Open(file.Path);
            EnqueueLines(file.Name);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"  left out {file.Name}: {exception.Message}");
            EnqueueMark(LineKind.FileDropped, file.Name, length: 0);
            return;
        }
        EnqueueMark(LineKind.EndOfFile, file.Name, _reader.Position);
        _sent.Add(new FileProof(file.Name, _reader.TakeHash(), _reader.Position));
    }

    private void EnqueueLines(string file)
    {
        _line.Kind = LineKind.Line;
        _line.File = file;
        for (long start = 0; _reader.TryRead(out ReadOnlySpan<byte> bytes); start = _reader.Position)
        {
            _line.Number = _reader.Number;
            _line.Start = start;
            _line.End = _reader.Position;
            SetContent(bytes);
            Enqueue();
        }
    }

    private void SetContent(ReadOnlySpan<byte> bytes)
    {
        bool isText = Utf8.IsValid(bytes);
        _line.Text = isText ? Encoding.UTF8.GetString(bytes) : null;
        _line.Raw = isText ? null : bytes.ToArray();
        Words.Find(_line.Text, _line.Words);
    }

    private void EnqueueMark(LineKind kind, string? file, long length)
    {
        _line.Kind = kind;
        _line.File = file;
        _line.Number = 0;
        _line.Start = _line.End = length;
        SetContent([]);
        Enqueue();
    }

    private void Enqueue()
    {
        _scores.WaitForLimit(_sentBytes);
        _scores.Add(Score.ReadAllocated, _meter.Lap());

        _queue.Enqueue(in _line);

        _scores.Add(Score.EnqueueAllocated, _meter.Lap());
        _scores.Add(Score.Enqueued, 1);
        _scores[Score.Sent] = _sentBytes = _finishedBytes + _line.End;
    }
}
