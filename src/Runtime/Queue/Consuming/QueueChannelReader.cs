using System.Threading.Channels;

namespace BlitQueue;

/// <summary>A subscription as a channel's reading end. It never completes: a queue has no end.</summary>
internal sealed class QueueChannelReader<T>(Subscription<T> subscription) : ChannelReader<T>
    where T : IPackable<T>
{
    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        return subscription.TryDequeue(ref item);
    }

    public override ValueTask<T> ReadAsync(CancellationToken cancellationToken = default) =>
        subscription.DequeueAsync(default, cancellationToken);

    /// <returns>true: trying to read is promising. Another consumer may be faster.</returns>
    public override async ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!subscription.LookForMessage())
        {
            await subscription.WaitForMessageAsync(cancellationToken).ConfigureAwait(false);
            // Throws if the wait ended because the queue was disposed. Its result is not the answer, because it does not see the leases of
            // dead processes.
            subscription.LookForMessage();
        }
        return true;
    }
}
