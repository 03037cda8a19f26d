using BlitQueue.Log;

namespace BlitQueue;

/// <summary>The dead letters of a queue's subscriptions, each opened when it is first needed.</summary>
internal sealed class DeadLetterQueues<T>(QueueStore store, ITransactionTarget target, QueueOptions options)
    where T : IPackable<T>
{
    private readonly Dictionary<string, DeadLetterQueue<T>> _open = [];

    public DeadLetterQueue<T> Of(string subscription)
    {
        lock (_open)
        {
            if (!_open.TryGetValue(subscription, out DeadLetterQueue<T>? letters))
            {
                _open.Add(subscription, letters = new DeadLetterQueue<T>(store, target, options, subscription));
            }
            return letters;
        }
    }

    /// <summary>How many there are; makes nothing where there never were any.</summary>
    public long CountOf(string subscription) =>
        store.Files.Exists(StoreFormat.DeadLettersName(subscription)) ? Of(subscription).Count : 0;
}
