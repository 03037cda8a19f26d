using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>The dead letters of a queue's subscriptions, each opened when it is first needed.</summary>
internal sealed class DeadLetterQueues<T>(QueueStore store, ITransactionTarget target, QueueOptions options)
    where T : IPackable<T>
{
    private readonly Dictionary<string, DeadLetterQueue<T>> _open = [];
    private readonly Lock _sync = new();

    /// <exception cref="OperationCanceledException">The token was cancelled; they are not open.</exception>
    public DeadLetterQueue<T> Of(string subscription, CancellationToken cancellationToken = default)
    {
        _sync.Enter(cancellationToken);
        try
        {
            if (!_open.TryGetValue(subscription, out DeadLetterQueue<T>? letters))
            {
                letters = new DeadLetterQueue<T>(store, target, options, subscription, cancellationToken);
                _open.Add(subscription, letters);
            }
            return letters;
        }
        finally
        {
            _sync.Exit();
        }
    }

    /// <summary>How many there are; makes nothing where there never were any.</summary>
    public long CountOf(string subscription) =>
        store.Files.Exists(StoreFormat.DeadLettersName(subscription)) ? Of(subscription).Count : 0;
}
