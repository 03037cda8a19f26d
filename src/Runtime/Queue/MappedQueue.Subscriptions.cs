using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Subscriptions: made, found and deleted.</content>
public sealed partial class MappedQueue<T>
{
    /// <summary>
    /// A subscription's consumer side; the subscription is made if there is none of this name. It lasts until it is deleted, and sees every
    /// message; its consumers, in whatever process, compete for them. The one named <c>default</c> is the queue's own.
    /// </summary>
    /// <param name="name">1 to 100 letters, digits, '-', '_' and '.'.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is making or deleting a subscription.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <exception cref="ArgumentException">
    /// The name cannot be one, an option is out of range, or <see cref="SubscriptionOptions.Ephemeral"/> is
    /// not what the subscription was made with.
    /// </exception>
    /// <exception cref="QueueException">
    /// <see cref="SubscriptionOptions.Exclusive"/> or <see cref="SubscriptionOptions.SingleConsumer"/> is asked for where others consume
    /// or hold leases, or <see cref="SubscriptionOptions.DurableOnly"/> in shared memory.
    /// </exception>
    /// <exception cref="QueueFullException">The disk has no room for the subscription's file.</exception>
    /// <exception cref="QueueException">A process that does not run is making or deleting a subscription.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public Subscription<T> Subscribe(string name, SubscriptionOptions? options = null, CancellationToken cancellationToken = default)
    {
        options = SubscriptionOptions.Validated(options);
        cancellationToken.ThrowIfCancellationRequested();
        using CallGate.Call call = _store.Gate.Enter();
        if (options.DurableOnly)
        {
            RequireDisk("SubscriptionOptions.DurableOnly");
        }
        if (name == StoreCreator.DefaultSubscription && (options.Ephemeral || options.ExpiresAfter > TimeSpan.Zero))
        {
            throw new ArgumentException($"{_store.Files.Directory}: the subscription '{name}' is the queue's own and stays: it can have "
                + "neither SubscriptionOptions.Ephemeral nor ExpiresAfter. Leave them out, or use another name.", nameof(options));
        }
        object seat = new();
        SubscriptionFile file = _store.Segments.Damages.Noting(() => _admin.GetOrMake(
            name, options.Start == SubscriptionStart.Newest, seat, options.Ephemeral, options.ExpiresAfter, cancellationToken));
        try
        {
            return new Subscription<T>(_store, _admin, _deadLetters, _producer.Options.SpinDuration, file, options, seat);
        }
        catch
        {
            file.Consumers.Leave(seat, _store.Self);
            _store.Ended.NoteLeft(file);
            throw;
        }
    }

    /// <summary>Deletes a subscription: what it alone had not consumed goes. Its consumers get a <see cref="QueueException"/>.</summary>
    /// <param name="name">The subscription's name.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is making or deleting a subscription.</param>
    /// <returns>false when there is none of this name.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was deleted.</exception>
    /// <exception cref="QueueException">A process that does not run is making or deleting a subscription.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool DeleteSubscription(string name, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(name);
        cancellationToken.ThrowIfCancellationRequested();
        using CallGate.Call call = _store.Gate.Enter();
        return _admin.Delete(name, cancellationToken);
    }
}
