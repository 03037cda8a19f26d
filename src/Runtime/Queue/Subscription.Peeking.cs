using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>Reads the next message without taking it, if there is one. Never waits.</summary>
    /// <param name="message">
    /// An instance to fill, or null to get a new one. Where false is returned its content may have changed.
    /// </param>
    /// <returns>
    /// false when there is none. When it returns true the message was the next one a moment ago: another consumer may take it at any time.
    /// </returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryPeek(ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        if (!_cursor.HasLeases)
        {
            return TryPeekNext(ref message);
        }
        return TryPeekBesideLeases(ref message) || (_store.Transactions.TryComplete() && TryPeekBesideLeases(ref message));
    }

    private bool TryPeekBesideLeases(ref T? message) =>
        TryPeekGivenBack(includeDead: false, ref message)
        || (!(_alone is not null && _leases.IsDelayed) && TryPeekNext(ref message))
        || TryPeekGivenBack(includeDead: true, ref message);

    private bool TryPeekNext(ref T? message)
    {
        while (_cursor.TryFind(out FoundRecord found))
        {
            if (TryUnpack(found, ref message, properties: null) && _cursor.WasStillNext(found))
            {
                return true;
            }
        }
        return false;
    }

    // Another consumer may take the message while it is read, and its segment be used anew: then it is looked for again.
    private bool TryPeekGivenBack(bool includeDead, ref T? message)
    {
        while (_leases.TryPeekOldest(includeDead, dueOnly: _alone is null, out int cell, out long word))
        {
            long position = SubscriptionFormat.MessagePosition(word);
            if (!_leases.MayBeDelivered(cell, word))
            {
                return false;
            }
            MakeDurable(position);
            try
            {
                // Whoever takes it finds it expired and goes on; what comes behind may be in time.
                if (IsExpired(_cursor.Reader.At(position)))
                {
                    return false;
                }
                UnpackLeased(new HeldLease(cell, word, Attempt: 0), ref message);
                if (_leases.StillSays(cell, word))
                {
                    return true;
                }
            }
            catch (QueueCorruptException) when (!_leases.StillSays(cell, word))
            {
                // It was another message's bytes already.
            }
        }
        return false;
    }
}
