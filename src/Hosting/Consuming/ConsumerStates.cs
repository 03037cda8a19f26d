using System.Collections.Concurrent;

namespace BlitQueue.Hosting;

/// <summary>Which consumers of a host cannot take messages, and why: for health checks.</summary>
internal sealed class ConsumerStates
{
    private readonly ConcurrentDictionary<(string Queue, string Subscription), Exception> _failures = new();

    public void Fail(string queue, string subscription, Exception exception) => _failures[(queue, subscription)] = exception;

    /// <returns>false if it had not failed.</returns>
    public bool Resume(string queue, string subscription) => _failures.TryRemove((queue, subscription), out _);

    /// <summary>The failed consumers of a queue.</summary>
    public IEnumerable<(string Subscription, Exception Failure)> Of(string queue) =>
        _failures.Where(one => one.Key.Queue == queue).Select(static one => (one.Key.Subscription, one.Value));
}
