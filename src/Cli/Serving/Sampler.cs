using System.Diagnostics;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Serving;

/// <summary>
/// Looks at the queues for all pages together, on one thread: many pages cost the queues no more than one. While no page is open it looks
/// at nothing and has no file open.
/// </summary>
/// <param name="root">The directory of the queues, absolute.</param>
/// <param name="every">The time between two looks.</param>
/// <param name="writes">Whether pages may change queues.</param>
internal sealed class Sampler(string root, TimeSpan every, bool writes) : IDisposable
{
    private static readonly TimeSpan Remembered = TimeSpan.FromMinutes(5);

    private readonly Looks _looks = new(root);
    private readonly Lock _gate = new();
    private readonly List<EventStream> _streams = [];
    private readonly AutoResetEvent _news = new(false);
    private readonly Queue<(DateTime Time, byte[] Json)> _points = [];
    private readonly Dictionary<(string Queue, string? Subscription), (QueueLook Look, OpenedQueue Queue)> _opened = [];
    private List<QueueFigures> _figures = [];
    private byte[]? _sample;
    private long _sampled;

    /// <summary>Adds a page, which gets events from now on.</summary>
    public void Add(EventStream stream)
    {
        lock (_gate)
        {
            _streams.Add(stream);
        }
        _news.Set();
    }

    /// <summary>The page is closed.</summary>
    public void Remove(EventStream stream)
    {
        lock (_gate)
        {
            _streams.Remove(stream);
        }
        _news.Set();
    }

    /// <summary>Looks, until it is told to stop.</summary>
    public void Run(CancellationToken stop)
    {
        using CancellationTokenRegistration registration = stop.Register(() => _news.Set());
        while (!stop.IsCancellationRequested)
        {
            EventStream[] streams = Streams();
            if (streams.Length == 0)
            {
                Rest();
                _news.WaitOne();
                continue;
            }
            bool isDue = _sample is null || Stopwatch.GetElapsedTime(_sampled) >= every;
            if (isDue)
            {
                TakeSample();
            }
            Tell([.. streams.Where(stream => isDue || stream.IsFresh)]);
            TimeSpan left = every - Stopwatch.GetElapsedTime(_sampled);
            _news.WaitOne(left > TimeSpan.Zero ? left : TimeSpan.Zero);
        }
    }

    private EventStream[] Streams()
    {
        lock (_gate)
        {
            return [.. _streams];
        }
    }

    private void Rest()
    {
        _looks.Dispose();
        CloseQueues([]);
        (_sample, _figures) = (null, []);
    }

    private void TakeSample()
    {
        _sampled = Stopwatch.GetTimestamp();
        DateTime now = DateTime.UtcNow;
        string? fault = null;
        try
        {
            _figures = _looks.Look();
        }
        catch (Exception exception) when (Guarded.CodeOf(exception) is not null)
        {
            (_figures, fault) = ([], Guarded.TextOf(exception));
        }
        byte[] point = Samples.PointOf(_figures, now);
        _points.Enqueue((now, point));
        while (now - _points.Peek().Time > Remembered)
        {
            _points.Dequeue();
        }
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("root", root);
        json.Name("every");
        json.Number(every.TotalSeconds);
        json.Member("writes", writes);
        json.Member("fault", fault);
        json.Name("point");
        json.Raw(point);
        json.Elements("queues", _figures, queue => Samples.Write(queue, json));
        json.EndObject();
        _sample = Event("sample", json);
    }

    private void Tell(EventStream[] streams)
    {
        CloseQueues([.. from stream in Streams() where stream.Queue is not null select (stream.Queue, stream.Subscription)]);
        var told = new Dictionary<(string, string?), byte[]>();
        byte[]? history = streams.Any(static stream => stream.IsFresh) ? History() : null;
        foreach (EventStream stream in streams)
        {
            byte[] opened = [];
            if (stream.Queue is { } queue && !told.TryGetValue((queue, stream.Subscription), out opened!))
            {
                told[(queue, stream.Subscription)] = opened = Opened(queue, stream.Subscription);
            }
            stream.Offer([.. stream.IsFresh ? history! : [], .. _sample!, .. opened]);
        }
    }

    private byte[] History()
    {
        var json = new JsonOutput();
        json.BeginArray();
        foreach ((DateTime _, byte[] point) in _points)
        {
            json.Raw(point);
        }
        json.EndArray();
        return Event("history", json);
    }

    private byte[] Opened(string name, string? subscription)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("queue", name);
        json.Name("shown");
        if (_figures.Find(queue => queue.Name == name) is { Look: { } look, Status: { } status } figures)
        {
            if (_opened.TryGetValue((name, subscription), out (QueueLook Look, OpenedQueue Queue) known) && known.Look != look)
            {
                known.Queue.Dispose();
                known = default;
            }
            known = known.Queue is null ? (look, new OpenedQueue(figures.Path, subscription)) : known;
            _opened[(name, subscription)] = known;
            known.Queue.Write(status, json);
        }
        else
        {
            json.Null();
        }
        json.EndObject();
        return Event("opened", json);
    }

    // Closes queues that no page has open any more.
    private void CloseQueues(HashSet<(string, string?)> open)
    {
        foreach ((string, string?) closed in _opened.Keys.Where(key => !open.Contains(key)).ToArray())
        {
            _opened.Remove(closed, out (QueueLook Look, OpenedQueue Queue) known);
            known.Queue.Dispose();
        }
    }

    private static byte[] Event(string name, JsonOutput json)
        => [.. Encoding.ASCII.GetBytes($"event: {name}\ndata: "), .. json.Bytes, .. "\n\n"u8];

    public void Dispose()
    {
        Rest();
        _news.Dispose();
    }
}
