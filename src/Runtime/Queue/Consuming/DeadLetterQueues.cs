using System.Collections.Concurrent;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>The dead letters of a queue's subscriptions, each opened when it is first needed.</summary>
internal sealed class DeadLetterQueues<T>(QueueStore store, ITransactionTarget target, QueueOptions options)
    where T : IPackable<T>
{
    private readonly ConcurrentDictionary<string, DeadLetterQueue<T>> _open = [];

    // Of the thread that opens one: it may wait for another process that opens the same letters.
    private readonly Lock _sync = new();

    /// <summary>How long to wait for a process that does not run, before the caller is told.</summary>
    public TimeSpan StallTimeout => options.StallTimeout;

    /// <param name="subscription">The subscription's name.</param>
    /// <param name="cancellationToken">Ends the wait for another process that opens the same letters.</param>
    /// <param name="isPatient">Whether to wait for the whole <see cref="QueueOptions.StallTimeout"/> for a process that is stopped.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; they are not open.</exception>
    public DeadLetterQueue<T> Of(string subscription, CancellationToken cancellationToken = default, bool isPatient = true)
    {
        if (_open.TryGetValue(subscription, out DeadLetterQueue<T>? letters))
        {
            return letters;
        }
        _sync.Enter(cancellationToken);
        try
        {
            // Another thread may have opened it meanwhile.
            return _open.TryGetValue(subscription, out letters)
                ? letters
                : _open[subscription] = new DeadLetterQueue<T>(
                    store, target, options, subscription,
                    new Patience(isPatient ? options.StallTimeout : WaitLimit.ShortStall, cancellationToken));
        }
        finally
        {
            _sync.Exit();
        }
    }

    /// <summary>How many there are; null where they are not open. It opens none, and waits for no process.</summary>
    public long? CountOf(string subscription) => _open.TryGetValue(subscription, out DeadLetterQueue<T>? letters) ? letters.Count : null;

    /// <summary>The position behind the last one; null where they are not open. It opens none, and waits for no process.</summary>
    public QueuePosition? EndOf(string subscription) =>
        _open.TryGetValue(subscription, out DeadLetterQueue<T>? letters) ? letters.End : null;
}
