using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue.Cli.Queues;

/// <summary>A queue at which a command looks again and again. It remembers the look before, because rates are differences.</summary>
internal sealed class WatchedQueue : IDisposable
{
    private readonly QueueLook _look;
    private readonly string _name;
    private readonly byte[]?[] _files;
    private readonly DateTime _written;
    private Dictionary<string, long> _lags = [];
    private long _end, _since;
    private bool _isCurrent = true;

    /// <exception cref="QueueException">It cannot be read.</exception>
    public WatchedQueue(string path, string name)
    {
        (_files, _written) = (Files(path), WrittenAt(path));
        _look = QueueLook.Open(path);
        _name = name;
    }

    /// <summary>Whether this still sees the changes of other processes; otherwise it has to be made anew.</summary>
    public bool IsCurrent => _isCurrent && _written == WrittenAt(_look.Path) && _files.Zip(Files(_look.Path)).All(
        static pair => pair.First is null ? pair.Second is null : pair.First.AsSpan().SequenceEqual(pair.Second));

    // Identities of the files that are made anew when a queue was deleted or repaired.
    private static byte[]?[] Files(string path)
        => [.. ((string[])[StoreFormat.MetaName, StoreFormat.ControlName]).Select(name => IdentityOf(Path.Combine(path, name)))];

    private static DateTime WrittenAt(string path) => File.GetLastWriteTimeUtc(Path.Combine(path, StoreFormat.MetaName));

    private static byte[]? IdentityOf(string path)
        => CurrentPlatform.Instance.IsThere(path) ? CurrentPlatform.Instance.IdentityOf(path) : null;

    /// <summary>How it stands now.</summary>
    public QueueFigures Figures()
    {
        // As close as possible to the counts from which rates are computed: this thread may have to wait for a processor at any time.
        long now = Stopwatch.GetTimestamp();
        QueueStatus status = _look.GetStatus();
        QueueDetails details = _look.GetDetails();
        long end = _look.CountUpTo(status.Next.Value);
        double seconds = Math.Max(Stopwatch.GetElapsedTime(_since, now).TotalSeconds, 0.001);
        bool isLater = _since != 0 && end >= _end;
        var lags = status.Subscriptions.ToDictionary(static one => one.Name, static one => one.Lag);
        var figures = new QueueFigures
        {
            Path = _look.Path,
            Name = _name,
            Look = _look,
            Status = status,
            Details = details,
            Positions = _look.Positions(),
            Into = isLater ? (end - _end) / seconds : null,
            From = lags.Keys.Where(name => isLater && _lags.ContainsKey(name))
                .ToDictionary(static name => name, name => Math.Max(0, (end - _end + _lags[name] - lags[name]) / seconds)),
        };
        (_lags, _end, _since, _isCurrent) = (lags, end, now, details.IsCurrent);
        return figures;
    }

    public void Dispose() => _look.Dispose();
}
