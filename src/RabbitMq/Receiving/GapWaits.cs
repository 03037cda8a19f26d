namespace BlitQueue.RabbitMq;

/// <summary>
/// For how long messages have waited for earlier ones on connections that are over. So a missing message is told however often the
/// connection is lost. Time without a connection does not count: nothing can come then.
/// </summary>
internal sealed class GapWaits
{
    // By source.
    private readonly Dictionary<string, (long Mark, TimeSpan Waited)> _waits = [];

    /// <summary>How long messages of a source have waited for the one behind a position.</summary>
    public TimeSpan Of(string source, long mark) =>
        _waits.TryGetValue(source, out (long Mark, TimeSpan Waited) wait) && wait.Mark == mark ? wait.Waited : TimeSpan.Zero;

    /// <summary>A connection is over, and they still wait.</summary>
    public void Note(string source, long mark, TimeSpan waited) => _waits[source] = (mark, waited);

    /// <summary>None waits any more.</summary>
    public void Forget(string source) => _waits.Remove(source);
}
